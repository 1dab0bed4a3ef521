// Words that say nothing about which tool is meant, one set a language.

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** Never looked up, whatever the language (M Appendix B, folded). */
export const alwaysStopped = list(`
  a an and are as at be by de del el en esta este for from i in is it la las lo los mi my necesito o of on or para por que quiero
  that the this to un una unas unos want with y
`)

/** Function words of English. */
export const english = list(`
  am been being was were will would shall should could can may might must do does did done has have had having
  me you your yours he him his she her hers its we us our ours they them their theirs these those there here
  if then than so but not no nor yes don doesn didn isn aren wasn won cannot dont doesnt didnt isnt cant wont ll ve re
  what which who whom whose when where why how any some each both either all every else too very just also only even still already
  please thanks thank hi hello hey ok okay let lets gonna wanna
  into onto upon about over under out up down off through during because while until till since per via within without
  t s d m
`)

/** Function words of the other languages that the dictionaries know; English words of weight are left out. */
export const foreign: Readonly<Record<'spanish' | 'german' | 'french' | 'romance', ReadonlySet<string>>> = {
  spanish: list(`
    el la los las un una unas unos de del y o que en para por quiero necesito este esta
    su sus tu tus se al con como mas muy ya hay es son estan estos estas eso esa ese yo nos te ha han he ser mis
    porque cuando donde cual cuales quien favor puedes puede debe tengo tiene hace sin
  `),
  german: list(`
    der das dem den des ein eine einen einem einer eines und oder aber ist sind wird werden mit von vom zum zur fur auf aus bei nach
    mir mich dir dich sie er es wir ihr ihre ihren mein meine meinen meinem meiner unser unsere unserem unseren dieser dieses diesen
    diesem im um auch nicht kein keine bitte ich du wie welche welcher welches welchen gerade habe hat kann konnen soll muss alle
    allen wenn dass die zu
  `),
  french: list(`
    le les du des une et ou est sont dans sur pour par avec sans ce cet cette ces mon ma mes ton ta tes sa ses notre votre vos leur
    je tu il elle nous vous ils elles que qui quoi quel quelle quels quelles ne pas aux au moi toi peux peut veux voudrais l d qu
  `),
  romance: list(`
    os um uma uns umas em na nas com sem meu minha meus minhas seu sua isso ao aos
    il gli di da dal della delle dei degli nel nella per mio mia miei mie suo questo questa sono che
  `),
}

/** Said by people around what they mean; they count little. */
export const weakWords = list(`
  need needs like wish help tool tools able possible way thing things something anything everything somebody anybody someone anyone
  everybody everyone nobody nothing now today currently again really actually simply quickly sure know think say says said
  give use using one ones two another other others certain particular particularly own same such more most much many lot lots bit
  got getting going come goes put make makes made making right good bad new first go
  inside outside instead look looks looking try tried trying keep kept called named once yet ever never
  ahora solo todo toda todos todas otro otra mismo hacer haz hoy
  jetzt nur noch mal mach machen
  maintenant tout toute tous toutes autre faire fais
`)

/** Words of English that only hold a sentence together: articles, pronouns, prepositions, auxiliaries and the like. */

// biome-ignore format: by kind
const kinds = [
  "a an the this that these those such same other another each every either neither both all any some no none few many much more most less least several own",
  "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them their theirs themselves one ones who whom whose which what whatever whoever something anything nothing everything someone anyone everyone",
  "of in on at by to from for with without within into onto upon over under above below between among through during before after about against across along around behind beside besides beyond near off out up down since until till toward towards via per than as like",
  "and or but nor so yet if then else when whenever where wherever while because although though unless whether however therefore thus hence also too either not only just even still already again once ever never always often sometimes very quite rather really almost now here there how why",
  "be am is are was were been being have has had having do does did done doing will would shall should can could may might must cannot let lets get gets got",
  // What is left of don't, isn't, we'll, they've and the like once the apostrophe divides them.
  "don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn mustn ain ll ve re",
];

export const stopWords: ReadonlySet<string> = new Set(kinds.join(" ").split(" "));

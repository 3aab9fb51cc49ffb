import Foundation

@testable import Strata

// Classes of many properties, some of them inherited, with linking objects before, between and
// behind them: each has the same number everywhere, or an observer hears of another one.

class BroadBase: Object {
  @Persisted var p0 = 0
  @Persisted var p1 = 0
  @Persisted var p2 = 0
  @Persisted var p3 = 0
  @Persisted var p4 = 0
  @Persisted var p5 = 0
  @Persisted var p6 = 0
  @Persisted var p7 = 0
  @Persisted var p8 = 0
  @Persisted var p9 = 0
  @Persisted var p10 = 0
  @Persisted var p11 = 0
  @Persisted var p12 = 0
  @Persisted var p13 = 0
  @Persisted var p14 = 0
  @Persisted var p15 = 0
  @Persisted var p16 = 0
  @Persisted var p17 = 0
  @Persisted var p18 = 0
  @Persisted var p19 = 0
  @Persisted var p20 = 0
  @Persisted var p21 = 0
  @Persisted var p22 = 0
  @Persisted var p23 = 0
  @Persisted var p24 = 0
  @Persisted var p25 = 0
  @Persisted var p26 = 0
  @Persisted var p27 = 0
  @Persisted var p28 = 0
  @Persisted var p29 = 0
  @Persisted var p30 = 0
  @Persisted var p31 = 0
  @Persisted var p32 = 0
  @Persisted var p33 = 0
  @Persisted var p34 = 0
  @Persisted var p35 = 0
  @Persisted var p36 = 0
  @Persisted var p37 = 0
  @Persisted var p38 = 0
  @Persisted var p39 = 0
  @Persisted var p40 = 0
  @Persisted var p41 = 0
  @Persisted var p42 = 0
  @Persisted var p43 = 0
  @Persisted var p44 = 0
  @Persisted var p45 = 0
  @Persisted var p46 = 0
  @Persisted var p47 = 0
  @Persisted var p48 = 0
  @Persisted var p49 = 0
  @Persisted var p50 = 0
  @Persisted var p51 = 0
  @Persisted var p52 = 0
  @Persisted var p53 = 0
  @Persisted var p54 = 0
  @Persisted var p55 = 0
  @Persisted var p56 = 0
  @Persisted var p57 = 0
  @Persisted var p58 = 0
  @Persisted var p59 = 0
  @Persisted var p60 = 0
  @Persisted var p61 = 0
  @Persisted var p62 = 0
  @Persisted var p63 = 0
  @Persisted var p64 = 0
}

class Broad: BroadBase {
  static let types: [ObjectBase.Type] = [
    Broad.self, BroadFirst.self, BroadPart.self, BroadOwner.self,
  ]

  @Persisted(originProperty: "list") var between: LinkingObjects<BroadOwner>
  @Persisted var p65 = 0
  @Persisted var p66 = 0
  @Persisted var p67 = 0
  @Persisted var p68 = 0
  @Persisted var p69 = 0
  @Persisted var p70 = 0
  @Persisted var p71 = 0
  @Persisted var p72 = 0
  @Persisted var p73 = 0
  @Persisted var p74 = 0
  @Persisted var p75 = 0
  @Persisted var p76 = 0
  @Persisted var p77 = 0
  @Persisted var p78 = 0
  @Persisted var p79 = 0
  @Persisted var p80 = 0
  @Persisted var p81 = 0
  @Persisted var p82 = 0
  @Persisted var p83 = 0
  @Persisted var p84 = 0
  @Persisted var p85 = 0
  @Persisted var p86 = 0
  @Persisted var p87 = 0
  @Persisted var p88 = 0
  @Persisted var p89 = 0
  @Persisted var p90 = 0
  @Persisted var p91 = 0
  @Persisted var p92 = 0
  @Persisted var p93 = 0
  @Persisted var p94 = 0
  @Persisted var p95 = 0
  @Persisted var p96 = 0
  @Persisted var p97 = 0
  @Persisted var p98 = 0
  @Persisted var p99 = 0
  @Persisted var p100 = 0
  @Persisted var p101 = 0
  @Persisted var p102 = 0
  @Persisted var p103 = 0
  @Persisted var p104 = 0
  @Persisted var p105 = 0
  @Persisted var p106 = 0
  @Persisted var p107 = 0
  @Persisted var p108 = 0
  @Persisted var p109 = 0
  @Persisted var p110 = 0
  @Persisted var p111 = 0
  @Persisted var p112 = 0
  @Persisted var p113 = 0
  @Persisted var p114 = 0
  @Persisted var p115 = 0
  @Persisted var p116 = 0
  @Persisted var p117 = 0
  @Persisted var p118 = 0
  @Persisted var p119 = 0
  @Persisted var p120 = 0
  @Persisted var p121 = 0
  @Persisted var p122 = 0
  @Persisted var p123 = 0
  @Persisted var p124 = 0
  @Persisted var p125 = 0
  @Persisted var p126 = 0
  @Persisted var p127 = 0
  @Persisted var p128 = 0
  @Persisted var p129 = 0
  @Persisted var part: BroadPart?
  @Persisted var numbers: List<Int>
  @Persisted(originProperty: "map") var behind: LinkingObjects<BroadOwner>
}

class BroadFirst: Object {
  @Persisted(originProperty: "firsts") var before: LinkingObjects<BroadOwner>
  @Persisted(originProperty: "first") var beforeToo: LinkingObjects<BroadOwner>
  @Persisted var one = 0
  @Persisted var two = 0
  @Persisted var three = 0
}

/// An embedded object with more properties than a word has bits.
class BroadPart: EmbeddedObject {
  @Persisted(originProperty: "part") var whole: LinkingObjects<Broad>
  @Persisted var p0 = 0
  @Persisted var p1 = 0
  @Persisted var p2 = 0
  @Persisted var p3 = 0
  @Persisted var p4 = 0
  @Persisted var p5 = 0
  @Persisted var p6 = 0
  @Persisted var p7 = 0
  @Persisted var p8 = 0
  @Persisted var p9 = 0
  @Persisted var p10 = 0
  @Persisted var p11 = 0
  @Persisted var p12 = 0
  @Persisted var p13 = 0
  @Persisted var p14 = 0
  @Persisted var p15 = 0
  @Persisted var p16 = 0
  @Persisted var p17 = 0
  @Persisted var p18 = 0
  @Persisted var p19 = 0
  @Persisted var p20 = 0
  @Persisted var p21 = 0
  @Persisted var p22 = 0
  @Persisted var p23 = 0
  @Persisted var p24 = 0
  @Persisted var p25 = 0
  @Persisted var p26 = 0
  @Persisted var p27 = 0
  @Persisted var p28 = 0
  @Persisted var p29 = 0
  @Persisted var p30 = 0
  @Persisted var p31 = 0
  @Persisted var p32 = 0
  @Persisted var p33 = 0
  @Persisted var p34 = 0
  @Persisted var p35 = 0
  @Persisted var p36 = 0
  @Persisted var p37 = 0
  @Persisted var p38 = 0
  @Persisted var p39 = 0
  @Persisted var p40 = 0
  @Persisted var p41 = 0
  @Persisted var p42 = 0
  @Persisted var p43 = 0
  @Persisted var p44 = 0
  @Persisted var p45 = 0
  @Persisted var p46 = 0
  @Persisted var p47 = 0
  @Persisted var p48 = 0
  @Persisted var p49 = 0
  @Persisted var p50 = 0
  @Persisted var p51 = 0
  @Persisted var p52 = 0
  @Persisted var p53 = 0
  @Persisted var p54 = 0
  @Persisted var p55 = 0
  @Persisted var p56 = 0
  @Persisted var p57 = 0
  @Persisted var p58 = 0
  @Persisted var p59 = 0
  @Persisted var p60 = 0
  @Persisted var p61 = 0
  @Persisted var p62 = 0
  @Persisted var p63 = 0
  @Persisted var p64 = 0
  @Persisted var p65 = 0
  @Persisted var p66 = 0
  @Persisted var p67 = 0
  @Persisted var p68 = 0
  @Persisted var p69 = 0
}

class BroadOwner: Object {
  @Persisted var broad: Broad?
  @Persisted var list: List<Broad>
  @Persisted var map: Map<String, Broad?>
  @Persisted var first: BroadFirst?
  @Persisted var firsts: List<BroadFirst>
}

class BroadView: Projection<Broad> {
  @Projected(\Broad.p0) var first
  @Projected(\Broad.p63) var middle
  @Projected(\Broad.p64) var next
  @Projected(\Broad.p129) var last
}

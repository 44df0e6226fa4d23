import Events
import Site

/// The fields of a site's beacons on some floors. They follow from the site alone, and all its
/// positioners share them.
struct BeaconFields: Sendable {
    /// The beacons of a site that locate; the ways to more take too long to prepare, and 100 kB
    /// each. The first of the document count.
    static let mostBeacons = 200

    /// The floors of these beacons.
    let floors: Set<FloorID>
    let fields: NodeFields
    /// The number among the fields of each of the document's beacons; nil for one that is not used.
    let numbers: [Int?]

    init(_ floors: Set<FloorID>, site: SiteIndex) {
        let records = site.document.beacons
        let used = records.indices.filter {
            floors.contains(records[$0].floor) && !records[$0].isDisabled
        }.prefix(Self.mostBeacons)
        let nodes = used.map { index in
            SiteScanner(
                id: ScannerID(records[index].id.text), floor: records[index].floor,
                point: records[index].point)
        }
        let fields = NodeFields(
            NodeGround(site, nodes), NodeHearingModel(deviation: BeaconEvidence.linkDeviation))
        var numbers = [Int?](repeating: nil, count: records.count)
        for index in used {
            numbers[index] = fields.numberByScanner[ScannerID(records[index].id.text)]
        }
        self.floors = floors
        self.fields = fields
        self.numbers = numbers
    }
}

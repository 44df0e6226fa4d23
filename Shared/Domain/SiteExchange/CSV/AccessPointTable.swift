import Events
import Geometry
public import Site

/// A table of the places of access points. Its columns are `bssid`, `floor`, and `x` and `y` in
/// metres; all are required.
public enum AccessPointTable {
    private static let columns: Set<String> = ["bssid", "floor", "x", "y"]

    public static func table(of site: SiteDocument) -> DelimitedTable {
        let rows = site.accessPointPlaces.enumerated().map { index, place in
            DelimitedTable.Row(
                line: index + 2,
                fields: [
                    place.idText, place.floor.text, WellKnownText.number(place.point.x),
                    WellKnownText.number(place.point.y),
                ])
        }
        return DelimitedTable(header: ["bssid", "floor", "x", "y"], rows: rows)
    }

    /// The site with the table's places. Access points that the table does not list keep theirs.
    ///
    /// - Throws: the faults of all wrong lines; the site is then unchanged.
    public static func site(
        _ site: SiteDocument, with table: DelimitedTable
    ) throws(TableFault) -> SiteDocument {
        var reading = TableReading(table, known: columns, needed: columns)
        var site = site
        let floors = Set(site.floors.map(\.id))
        var places: [HardwareAddress: Int] = [:]
        for (index, place) in site.accessPointPlaces.enumerated() { places[place.address] = index }
        var seen: Set<HardwareAddress> = []
        try reading.eachRow { (cells) throws(TableFault) in
            guard let address = AccessPointPlace.address(cells["bssid"] ?? "") else {
                throw cells.fault("a bssid must be six bytes in hex, such as 00:62:ec:fd:ec:50")
            }
            guard seen.insert(address).inserted else {
                throw cells.fault("\(AccessPointPlace.text(of: address)) is in the table twice")
            }
            let floor = FloorID(try cells.identifier("floor"))
            guard floors.contains(floor) else { throw cells.fault("there is no floor \(floor)") }
            guard let x = try cells.number("x"), let y = try cells.number("y"),
                max(abs(x), abs(y)) <= SiteLimits.coordinateMetres
            else { throw cells.fault("x and y must be metres within ±100,000") }
            let place = AccessPointPlace(address: address, floor: floor, point: Point(x: x, y: y))
            if let known = places[address] {
                site.accessPointPlaces[known] = place
            } else {
                site.accessPointPlaces.append(place)
            }
            return "access point \(place.idText)"
        }
        return try reading.checked(site)
    }
}

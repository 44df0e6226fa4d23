import Events
public import Site

/// Where access points hang, as a table: `bssid`, `floor`, `x` and `y` in metres, all needed.
public enum AccessPointTable {
    private static let columns: Set<String> = ["bssid", "floor", "x", "y"]

    public static func table(of site: SiteDocument) -> DelimitedTable {
        let rows = site.accessPointPlaces.enumerated().map { index, place in
            DelimitedTable.Row(
                line: index + 2,
                fields: [
                    text(of: place.address), place.floor.text, WellKnownText.number(place.x),
                    WellKnownText.number(place.y),
                ])
        }
        return DelimitedTable(header: ["bssid", "floor", "x", "y"], rows: rows)
    }

    /// The site with the table's places; those of other access points stay.
    ///
    /// - Throws: the first line that can't be taken; then nothing is.
    public static func site(
        _ site: SiteDocument, with table: DelimitedTable
    ) throws(TableFault) -> SiteDocument {
        let columns = try Columns(table.header, known: columns, needed: columns)
        var site = site
        let floors = Set(site.floors.map(\.id))
        var places: [HardwareAddress: Int] = [:]
        for (index, place) in site.accessPointPlaces.enumerated() { places[place.address] = index }
        var seen: Set<HardwareAddress> = []
        for row in table.rows {
            let cells = Cells(columns, row)
            guard let address = address(cells["bssid"] ?? "") else {
                throw cells.fault("a bssid is six bytes in hex, such as 00:62:ec:fd:ec:50")
            }
            guard seen.insert(address).inserted else {
                throw cells.fault("\(text(of: address)) is there twice")
            }
            let floor = FloorID(try cells.identifier("floor"))
            guard floors.contains(floor) else { throw cells.fault("there is no floor \(floor)") }
            guard let x = try cells.number("x"), let y = try cells.number("y"),
                max(abs(x), abs(y)) <= SiteLimits.coordinateMetres
            else { throw cells.fault("x and y are metres, within ±100,000") }
            let place = AccessPointPlace(address: address, floor: floor, x: x, y: y)
            if let known = places[address] {
                site.accessPointPlaces[known] = place
            } else {
                site.accessPointPlaces.append(place)
            }
        }
        guard let fault = SiteValidation.faults(in: site).first else { return site }
        throw TableFault(line: 1, "\(fault.subject): \(fault.detail)")
    }

    private static func text(of address: HardwareAddress) -> String {
        stride(from: 40, through: 0, by: -8).map { shift in
            let byte = String(address.value >> UInt64(shift) & 0xff, radix: 16)
            return byte.count < 2 ? "0" + byte : byte
        }.joined(separator: ":")
    }

    private static func address(_ text: String) -> HardwareAddress? {
        let separator: Character = text.contains("-") ? "-" : ":"
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
        guard parts.count == 6, bytes.count == 6, !text.contains("+") else { return nil }
        return HardwareAddress(value: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }
}

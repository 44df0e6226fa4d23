public import SiteExchange

extension MapFormat {
    static let roomList = MapFormat(
        name: "room-list",
        summary: "a facility system's list of rooms, merged by their numbers: CSV",
        fileEnding: ".csv",
        mediaType: "text/csv; charset=utf-8; header=present",
        isPart: { _ in true },
        readWhole: { _, _ in
            throw ImportRefusal(.nothingToImport, "a list goes into a site that is there")
        },
        readPart: { file, site, options in
            let table = try DelimitedTable(readableOf: file.content())
            let list = try RoomList(table, chosen: options.roomList.columns)
            var merge = RoomListMerge(list, options.roomList, into: site)
            return try merge.merged().checked(after: site)
        },
        readFacts: { file, options in
            FileFacts(try DelimitedTable(readableOf: file.content()), options.roomList)
        },
        needsSite: true,
        isComparedWithFormer: true)
}

extension RoomList {
    /// The list of the last time, as the file that was imported then.
    ///
    /// - Returns: nil for a file that can't be read with these columns.
    public static func former(
        _ file: MapFile, _ options: RoomListOptions
    ) -> RoomList? {
        guard let bytes = try? file.content(), let table = try? DelimitedTable(readableOf: bytes)
        else { return nil }
        return (try? RoomList(table, chosen: options.columns)) ?? (try? RoomList(table))
    }
}

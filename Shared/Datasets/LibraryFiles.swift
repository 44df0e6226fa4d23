import Archive
import Events

/// The files of the UJI library set, by month and collection.
struct LibraryFiles {
    struct Sample {
        let scan: ScanRecorded
        let x: Double
        let y: Double
        let floor: Int
    }

    private let source: String
    /// The content of each file by its path, such as `03/trn01rss.csv`.
    private let bytesByName: [String: [UInt8]]

    init(_ archive: ArchiveReader) throws {
        source = archive.path
        var found: [String: [UInt8]] = [:]
        try archive.only { Self.shortName($0) != nil }.forEachEntry { entry, bytes in
            if let name = Self.shortName(entry) { found[name] = bytes }
        }
        bytesByName = found
    }

    /// Months that have a training collection, ascending.
    var months: [Int] {
        bytesByName.keys.compactMap { name in
            name.hasSuffix("/trn01rss.csv") ? Int(name.prefix(2)) : nil
        }.sorted()
    }

    /// The samples of all collections of a kind (`trn` or `tst`) in a month.
    func samples(_ kind: String, month: Int) throws(DatasetFault) -> [Sample] {
        let folder = month < 10 ? "0\(month)" : "\(month)"
        let prefix = "\(folder)/\(kind)"
        let collections = bytesByName.keys.filter {
            $0.hasPrefix(prefix) && $0.hasSuffix("rss.csv")
        }
        var samples: [Sample] = []
        for name in collections.sorted() { samples += try collection(String(name.dropLast(7))) }
        return samples
    }

    /// `03/trn01rss.csv` for `UJI_LIB_DB_v2/db/03/trn01rss.csv`; nil for other files.
    private static func shortName(_ entry: ArchiveEntry) -> String? {
        let parts = entry.path.split(separator: "/")
        guard parts.count >= 2, parts[parts.count - 2].count == 2,
            Int(parts[parts.count - 2]) != nil
        else { return nil }
        let name = parts[parts.count - 1]
        guard name.hasPrefix("trn") || name.hasPrefix("tst"), name.count == 12,
            ["rss.csv", "crd.csv", "tms.csv"].contains(String(name.suffix(7)))
        else { return nil }
        return "\(parts[parts.count - 2])/\(name)"
    }

    private func reader(_ name: String) throws(DatasetFault) -> CSVReader {
        guard let bytes = bytesByName[name] else {
            throw DatasetFault(file: source, detail: "holds no \(name)")
        }
        return CSVReader(bytes, file: name)
    }

    /// - Parameter name: such as `03/trn01`.
    private func collection(_ name: String) throws(DatasetFault) -> [Sample] {
        var strengths = try reader("\(name)rss.csv")
        var coordinates = try reader("\(name)crd.csv")
        var times = try reader("\(name)tms.csv")
        // Month, kind and collection make one number for the ids of the scans.
        let digits = name.compactMap(\.wholeNumberValue).reduce(0) { $0 * 10 + $1 }
        let file = digits * 2 + (name.contains("trn") ? 0 : 1)
        var samples: [Sample] = []
        while try strengths.next() {
            guard try coordinates.next() else { throw coordinates.fault("has fewer rows than RSS") }
            guard try times.next() else { throw times.fault("has fewer rows than RSS") }
            guard let moment = moment(times.text(0)) else {
                throw times.fault("\(times.text(0)) is not yyyyMMddHHmmssSSS")
            }
            let readings = try FingerprintRow.readings(strengths, columns: 0..<strengths.count)
            let scan = FingerprintRow.scan(
                site: UJILibrary.site, device: "library-phone", at: moment, file: file,
                row: samples.count, wifi: readings)
            samples.append(
                Sample(
                    scan: scan, x: try coordinates.number(0, name: "x"),
                    y: try coordinates.number(1, name: "y"),
                    floor: try coordinates.whole(2, name: "floor")))
        }
        return samples
    }
}

/// A time such as 20160602155217232, read as UTC. The set gives local time, and only differences
/// matter.
private func moment(_ text: String) -> Timestamp? {
    guard text.utf8.count == 17, let all = Int64(text), all > 0 else { return nil }
    let (date, time) = (all / 1_000_000_000, all % 1_000_000_000)
    let days = daysSince1970(year: date / 10_000, month: date / 100 % 100, day: date % 100)
    let (hour, minute) = (time / 10_000_000, time / 100_000 % 100)
    let milliseconds = (hour * 60 + minute) * 60_000 + time % 100_000
    return Timestamp(milliseconds: days * 86_400_000 + milliseconds)
}

/// Days between 1970-01-01 and a date of the Gregorian calendar (Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms").
private func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

import Glibc

extension HeightGrid {
    /// Reads a grid.
    ///
    /// - Throws: `ImportRefusal` with the line of the first fault.
    public init(utf8 bytes: [UInt8]) throws(ImportRefusal) {
        guard bytes.count <= Self.mostBytes else {
            throw ImportRefusal(.tooLarge, "the grid has over \(Self.mostBytes >> 20) MB")
        }
        var words = GridWords(bytes)
        let header = try GridHeader(&words)
        let count = header.columns * header.rows
        var cells: [Float] = []
        cells.reserveCapacity(min(count, bytes.count / 2 + 1))
        while let word = words.next() {
            guard cells.count < count else {
                throw words.fault("there are more heights than \(header.columns) x \(header.rows)")
            }
            cells.append(Float(try header.height(word, words)))
        }
        guard cells.count == count else {
            throw words.fault(
                "there are \(cells.count) heights, not \(header.columns) x \(header.rows)")
        }
        self.init(
            columns: header.columns, rows: header.rows, west: header.west, south: header.south,
            width: header.width, height: header.cellHeight, cells: cells)
    }
}

/// The words of a file, with the line of the last one.
struct GridWords {
    /// A longer word is no number.
    static let longest = 64

    private let bytes: [UInt8]
    private var place = 0
    private(set) var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> ArraySlice<UInt8>? {
        while place < bytes.count, Self.isSpace(bytes[place]) {
            if bytes[place] == 0x0A { line += 1 }
            place += 1
        }
        guard place < bytes.count else { return nil }
        let start = place
        while place < bytes.count, !Self.isSpace(bytes[place]) { place += 1 }
        return bytes[start..<place]
    }

    /// Goes back to before a word that was read last.
    mutating func unread(_ word: ArraySlice<UInt8>) { place = word.startIndex }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    func fault(_ detail: String) -> ImportRefusal {
        ImportRefusal(.malformed, "line \(line): \(detail)")
    }

    static func text(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.prefix(longest), as: UTF8.self)
    }

    /// A decimal number, with or without an exponent; nil for another word.
    static func number(_ word: ArraySlice<UInt8>) -> Double? {
        guard word.count <= longest, let first = word.first, let last = word.last,
            word.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
            first != 0x65, first != 0x45, (0x30...0x39).contains(last) || last == 0x2E
        else { return nil }
        return Double(text(word)).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// The first lines of a grid.
struct GridHeader {
    private static let names: Set<String> = [
        "ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter", "cellsize", "dx",
        "dy", "nodata_value",
    ]

    let columns: Int
    let rows: Int
    let west: Double
    let south: Double
    let width: Double
    let cellHeight: Double
    /// The number that stands for a missing height.
    private let missing: Double?

    init(_ words: inout GridWords) throws(ImportRefusal) {
        var values: [String: Double] = [:]
        while let word = words.next() {
            let name = GridWords.text(word).lowercased()
            guard Self.names.contains(name) else {
                // The first height ends the header.
                guard GridWords.number(word) != nil || Self.isMissing(word) else {
                    throw words.fault("this is no line of an ESRI ASCII grid: \(shown(name))")
                }
                words.unread(word)
                break
            }
            guard values[name] == nil else { throw words.fault("\(name) is stated twice") }
            let value = words.next()
            guard let value, let number = Self.value(value, of: name) else {
                throw words.fault("\(name) must have a number")
            }
            values[name] = number
        }
        func needed(_ name: String) throws(ImportRefusal) -> Double {
            guard let value = values[name] else { throw words.fault("\(name) is missing") }
            return value
        }
        func count(_ name: String) throws(ImportRefusal) -> Int {
            let value = try needed(name)
            guard value >= 1, value <= Double(HeightGrid.mostCells), value == value.rounded() else {
                throw words.fault("\(name) must be 1 to \(HeightGrid.mostCells)")
            }
            return Int(value)
        }
        (columns, rows) = (try count("ncols"), try count("nrows"))
        guard columns * rows <= HeightGrid.mostCells else {
            throw ImportRefusal(
                .tooLarge, "\(columns) x \(rows) are over \(HeightGrid.mostCells) heights")
        }
        let isSquare = values["dx"] == nil || values["cellsize"] != nil
        width = try needed(isSquare ? "cellsize" : "dx")
        cellHeight = try needed(isSquare ? "cellsize" : "dy")
        missing = values["nodata_value"]
        /// The centre of the first cell along one axis.
        func centre(_ axis: String, _ size: Double) throws(ImportRefusal) -> Double {
            if let centre = values["\(axis)llcenter"] { return centre }
            return try needed("\(axis)llcorner") + size / 2
        }
        (west, south) = (try centre("x", width), try centre("y", cellHeight))
        for size in [width, cellHeight]
        where !(HeightGrid.smallestCell...HeightGrid.largestCell).contains(size) {
            throw words.fault(
                "cells must have \(HeightGrid.smallestCell) to \(HeightGrid.largestCell) degrees, "
                    + "not \(size): make the grid in WGS84 (gdalwarp -t_srs EPSG:4326)")
        }
        let (east, north) = (
            west + Double(columns - 1) * width, south + Double(rows - 1) * cellHeight
        )
        guard west >= -180, east <= 180, south >= -90, north <= 90 else {
            throw words.fault(
                "its corners must be longitudes and latitudes: make the grid in WGS84 (gdalwarp "
                    + "-t_srs EPSG:4326)")
        }
    }

    /// The value of a header's line. Only a missing height may be no number.
    private static func value(_ word: ArraySlice<UInt8>, of name: String) -> Double? {
        if name == "nodata_value", isMissing(word) { return .nan }
        return GridWords.number(word)
    }

    private static func isMissing(_ word: ArraySlice<UInt8>) -> Bool {
        let text = GridWords.text(word).lowercased()
        return text == "nan" || text == "-nan"
    }

    /// A height in metres; not a number for a missing one.
    func height(_ word: ArraySlice<UInt8>, _ words: GridWords) throws(ImportRefusal) -> Double {
        guard let number = GridWords.number(word) else {
            if Self.isMissing(word) { return .nan }
            throw words.fault("this is no height: \(shown(GridWords.text(word)))")
        }
        if number == missing { return .nan }
        guard HeightGrid.heights.contains(number) else {
            throw words.fault(
                "a height is \(number) m; if it stands for a missing one, state it as NODATA_value")
        }
        return number
    }
}

/// The cosine of an angle in degrees.
func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

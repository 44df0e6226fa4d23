struct CSVHeader {
    private let file: String
    private let columnByName: [String: Int]
    let names: [String]

    /// Reads the names from the first record.
    init(_ reader: inout CSVReader) throws(DatasetFault) {
        file = reader.file
        guard try reader.next() else { throw DatasetFault(file: file, detail: "is empty") }
        names = (0..<reader.count).map { [reader] in reader.text($0) }
        columnByName = Dictionary(
            names.enumerated().map { ($0.element.uppercased(), $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The index of the column with that name, whatever its capitals.
    func column(_ name: String) throws(DatasetFault) -> Int {
        guard let column = columnByName[name.uppercased()] else {
            throw DatasetFault(file: file, line: 1, column: name, detail: "no such column")
        }
        return column
    }
}

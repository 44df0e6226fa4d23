import Archive
import Wire

/// A column of a table whose values are sealed with the services' secret.
public struct SealedColumn: Sendable {
    /// With its schema.
    let table: String
    let column: String
    /// Whether the secret of these settings opens a value; nil where none is set.
    let opens: (@Sendable ([UInt8]) -> Bool)?

    public init(
        table: String, column: String, opens: (@Sendable ([UInt8]) -> Bool)?
    ) {
        self.table = table
        self.column = column
        self.opens = opens
    }

    /// The value of the column in a row of COPY's text format; nil for NULL.
    static func value(_ row: [UInt8], at index: Int) -> [UInt8]? {
        let fields = row.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard fields.indices.contains(index), fields[index].starts(with: Array(#"\\x"#.utf8))
        else { return nil }
        let digits = fields[index].dropFirst(3).map { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { place in
            UInt8((digits[place] ?? 0) << 4 | (digits[place + 1] ?? 0))
        }
    }
}

extension BackupRestoring {
    /// Refuses a backup whose sealed values the secret of these settings can't open.
    func requireSecret(of manifest: BackupManifest) async throws {
        guard let sealed, let table = manifest.tables.first(where: { $0.name == sealed.table }),
            let index = table.columns.firstIndex(of: sealed.column)
        else { return }
        var hasValues = false
        for file in table.files {
            let reader = try await files.reader(of: file, of: manifest.name)
            var rest: [UInt8] = []
            while let part = try reader.next() {
                rest += part
                var rows = rest.split(
                    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = rows.popLast().map(Array.init) ?? []
                for row in rows {
                    guard let value = SealedColumn.value(Array(row), at: index) else { continue }
                    hasValues = true
                    // A secret that was changed since opens some of them.
                    if sealed.opens?(value) == true { return }
                }
            }
        }
        guard hasValues else { return }
        guard sealed.opens != nil else {
            return note(
                "WHEREABOUTS_SERVICE_SECRET is not set here, so nobody can tell whether it is that "
                    + "of the backup. With another one the identity keys of enrolled devices "
                    + "can't be opened.")
        }
        throw BackupFault(
            "the identity keys of enrolled devices in the backup are sealed with another "
                + "WHEREABOUTS_SERVICE_SECRET: set that one. If it is lost, add --other-secret, "
                + "and enrol devices with identity keys anew")
    }
}

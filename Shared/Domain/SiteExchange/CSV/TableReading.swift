import Site

/// Reads the rows of a table into a site, also behind wrong ones, so that their people mend all at
/// once.
struct TableReading {
    private let columns: Columns
    private let table: DelimitedTable
    private var faults: TableFaults
    /// The line of each record, by its subject in the faults of a site.
    private var lines: [String: Int] = [:]

    init(_ table: DelimitedTable, known: Set<String>, needed: Set<String>) {
        self.table = table
        columns = Columns(table.header, known: known, needed: needed)
        faults = table.unread
        if let fault = columns.fault { faults.note(line: 1, fault) }
    }

    /// Reads all rows.
    ///
    /// - Parameter read: reads a row, and returns its record as the faults of a site name it,
    ///   such as `room 6.01`.
    /// - Throws: the faults, if the table has not the columns that each row needs.
    mutating func eachRow(_ read: (Cells) throws(TableFault) -> String) throws(TableFault) {
        guard columns.areComplete else { return try faults.check() }
        for row in table.rows {
            do throws(TableFault) {
                lines[try read(Cells(columns, row))] = row.line
            } catch {
                faults.note(error)
            }
        }
    }

    /// The site with the table's records, if it may be published.
    ///
    /// - Throws: the faults of all wrong lines, and the records that make the site invalid: those
    ///   of the table with their lines. The others come last, and only where all rows could be
    ///   read, since a wrong row might mend them.
    func checked(_ site: SiteDocument) throws(TableFault) -> SiteDocument {
        var faults = faults
        let isWhole = faults.isEmpty
        for fault in SiteValidation.firstFaults(in: site) {
            let detail = "\(fault.subject): \(fault.detail)"
            if let line = lines[fault.subject] {
                faults.note(line: line, detail)
            } else if isWhole {
                faults.noteElsewhere(detail)
            }
        }
        try faults.check()
        return site
    }
}

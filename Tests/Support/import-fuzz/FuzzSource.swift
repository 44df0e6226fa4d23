import SiteExchange

/// Makes damaged files of one format and imports them.
protocol FuzzSource {
    /// Writes file `number` of the run to the path; the same number and seed give the same file.
    func write(_ number: Int, seed: UInt64, to path: String) throws

    /// Imports a file as the command line does.
    func read(_ path: String) throws -> ImportedSite
}

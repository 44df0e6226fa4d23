/// Makes damaged files of one format.
protocol FuzzSource {
    /// Writes file `number` of the run to the path; the same number and seed give the same file.
    func write(_ number: Int, seed: UInt64, to path: String) throws
}

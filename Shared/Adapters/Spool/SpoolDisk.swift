/// The files of a spool. Tests put one between that stops, fills up or loses power.
protocol SpoolDisk: AnyObject {
    func names() throws(SpoolError) -> [String]
    func read(_ name: String) throws(SpoolError) -> [UInt8]
    /// Writes the bytes at the end. When it throws, a part of them may be there.
    func append(_ bytes: [UInt8], to name: String) throws(SpoolError)
    /// Writes a small file at once: afterwards it has the old bytes or the new ones.
    func replace(_ name: String, with bytes: [UInt8]) throws(SpoolError)
    func cut(_ name: String, to count: Int) throws(SpoolError)
    func remove(_ name: String) throws(SpoolError)
    /// Gives a file another name. A file that has that name goes.
    func rename(_ name: String, to other: String) throws(SpoolError)
    /// Brings a file that an earlier process wrote onto the disk.
    func sync(_ name: String) throws(SpoolError)
    /// Brings everything appended or replaced so far onto the disk.
    func sync() throws(SpoolError)
}

public import Events
public import Storage
public import Wire

extension StoragePlace {
    /// How the last work on backups ended, by the report beside them; nil where there was none. One
    /// that nobody understands is a failure.
    public func lastBackup(at now: Timestamp) async throws(StorageError) -> LastBackup? {
        let bytes: [UInt8]?
        do throws(StorageError) {
            bytes = try await read(LastBackup.file, most: StoredFile.fewBytes)
        } catch {
            guard !error.isRetriable, !Task.isCancelled else { throw error }
            return .unreadable("\(error)", at: now)
        }
        guard let bytes else { return nil }
        do throws(WireFault) { return try LastBackup(json: bytes) } catch {
            return .unreadable("\(LastBackup.file): \(error)", at: now)
        }
    }

    /// The report, and whether somebody is at that night's work now; nil where nobody can tell.
    ///
    /// - Parameter isUnderWay: asks whether somebody is at a night's work.
    public func lastBackup(
        at now: Timestamp, isUnderWay: () async throws -> Bool
    ) async throws -> (report: LastBackup?, isUnderWay: Bool?) {
        let report = try await lastBackup(at: now)
        guard report?.isUnfinished == true else { return (report, false) }
        let isUnderWay = try? await isUnderWay()
        guard isUnderWay == false else { return (report, isUnderWay) }
        // A night ends its report first, and gives up its lock then.
        return (try await lastBackup(at: now), false)
    }
}

extension LastBackup {
    /// The report of a work of which nobody knows how it ended.
    fileprivate static func unreadable(_ reason: String, at now: Timestamp) -> LastBackup {
        LastBackup(
            finishedAt: now, isOK: false, name: nil, reason: "the report can't be read: \(reason)")
    }
}

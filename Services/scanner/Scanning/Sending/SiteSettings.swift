import Synchronization
internal import Wire

/// The site's wishes for this scanner, as the server told them last. A file keeps them for a start
/// without a network.
final class SiteSettings: Sendable {
    private let folder: StateFolder?
    private let settings: Mutex<ScannerSettings>

    /// - Parameter folder: nil for settings that no file keeps.
    init(_ folder: StateFolder?) {
        self.folder = folder
        let bytes = folder.flatMap { StateFolder.contents($0.settingsFile) }
        settings = Mutex(bytes.flatMap { try? ScannerSettings(json: $0) } ?? .none)
    }

    var current: ScannerSettings { settings.withLock(\.self) }

    func replace(with new: ScannerSettings) throws(ScannerFault) {
        settings.withLock { $0 = new }
        if let folder { try folder.write(new.json, to: folder.settingsFile, isLasting: true) }
    }
}

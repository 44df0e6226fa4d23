import Events
import Synchronization

/// Rings when a draft has a new edit.
final class DraftBell: Sendable {
    typealias Listener = @Sendable (SiteID) -> Void

    private let listeners = Mutex<[Listener]>([])

    func listen(_ listener: @escaping Listener) { listeners.withLock { $0.append(listener) } }

    func ring(_ site: SiteID) {
        for listener in listeners.withLock({ $0 }) { listener(site) }
    }
}

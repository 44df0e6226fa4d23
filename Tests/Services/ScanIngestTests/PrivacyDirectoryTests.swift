import Dispatch
import Events
import Foundation
import Privacy
import Synchronization
import Testing
import Wire

@testable import ScanIngest

@Suite("The keys and devices of scan-ingest") struct PrivacyDirectoryTests {
    private static let site = SiteID("museum")
    private static let address = HardwareAddress(value: 0x7081_940d_fbaa)
    private static let now = Timestamp(microseconds: 1_795_305_600_000_000)

    private static func privacy(_ devices: String...) -> SitePrivacy {
        SitePrivacy(
            enrolled: Set(devices.map { DeviceID($0) }),
            identities: devices.map {
                .init(device: DeviceID($0), key: [UInt8](repeating: 1, count: 16))
            })
    }

    /// A directory, and what happened while it looked an address up.
    private final class Asked: Sendable {
        let directory = Mutex<PrivacyDirectory?>(nil)
        let lookUps = Mutex(0)
        let served = Mutex(false)

        func make(_ during: @escaping @Sendable (Asked) -> Void = { _ in }) -> PrivacyDirectory {
            let made = PrivacyDirectory { [self] _, _ in
                lookUps.withLock { $0 += 1 }
                during(self)
                return 0
            }
            directory.withLock { $0 = made }
            return made
        }
    }

    @Test("serve other scans while an address is looked up among many devices")
    func sideBySide() {
        let asked = Asked()
        let directory = asked.make { asked in
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let directory = asked.directory.withLock(\.self)
                let isKnown = directory?.isEnrolled(DeviceID("d-1"), at: Self.site) ?? false
                asked.served.withLock { $0 = isKnown }
                done.signal()
            }
            _ = done.wait(timeout: .now() + 5)
        }
        directory.replace(with: [Self.site: Self.privacy("d-1")])
        let device = directory.device(of: Self.address, at: Self.site, now: Self.now)
        #expect(device == DeviceID("d-1"))
        let isServed = asked.served.withLock(\.self)
        #expect(isServed)
    }

    @Test("look an address up once in its quarter of an hour, and anew for other devices")
    func once() {
        let asked = Asked()
        let directory = asked.make()
        func device(_ seconds: Int64) -> String? {
            directory.device(
                of: Self.address, at: Self.site,
                now: Self.now.advanced(byMicroseconds: seconds * 1_000_000))?.text
        }
        #expect(device(0) == nil && asked.lookUps.withLock(\.self) == 0)
        directory.replace(with: [Self.site: Self.privacy("d-1")])
        #expect(device(0) == "d-1" && device(1) == "d-1")
        directory.replace(with: [Self.site: Self.privacy("d-1")])
        #expect(device(2) == "d-1" && asked.lookUps.withLock(\.self) == 1)
        #expect(device(901) == "d-1" && asked.lookUps.withLock(\.self) == 2)
        directory.replace(with: [Self.site: Self.privacy("d-2", "d-1")])
        #expect(device(902) == "d-2" && asked.lookUps.withLock(\.self) == 3)
    }

    @Test("remember nothing of a look-up among devices that have changed meanwhile")
    func changed() {
        let asked = Asked()
        let directory = asked.make { asked in
            guard asked.lookUps.withLock(\.self) == 1 else { return }
            asked.directory.withLock(\.self)?.replace(with: [Self.site: Self.privacy("d-2")])
        }
        directory.replace(with: [Self.site: Self.privacy("d-1")])
        func device() -> String? {
            directory.device(of: Self.address, at: Self.site, now: Self.now)?.text
        }
        #expect(device() == "d-1")
        #expect(device() == "d-2")
    }

    @Test("fit into one answer, also from twenty sites with all the devices that one may have")
    func largest() {
        let ids = (0..<1_000).map { String(format: "d-%020x", $0) }
        let devices = ids.map { DeviceID($0) }
        let privacy = SitePrivacy(
            enrolled: Set(devices),
            identities: devices.map { .init(device: $0, key: [UInt8](repeating: 255, count: 16)) })
        let bytes = SitePrivacyList.json([Self.site: privacy]).count
        #expect(bytes * 100 * 20 < PrivacyFetching.mostBytes)
    }
}

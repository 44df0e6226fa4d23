import Events
import Foundation
import Testing
import Wire

@testable import Scanning

@Suite(.serialized) struct BusTests {
    @Test("NetworkManager's access points come with names of any bytes, and strengths in dBm")
    func networkManager() async throws {
        guard let bus = try MockBus() else { return }
        // Swift would let it go after its last use, the reading of its address.
        defer { bus.stop() }
        let source = NetworkManagerSource(interface: "wlan7", busAddress: bus.address)
        let networks = try await source.scan().sorted { $0.bssid < $1.bssid }
        #expect(networks.map(\.bssid.text) == (1...3).map { "02:11:22:00:00:0\($0)" })
        #expect(networks.map(\.rssi) == [-51, -100, -40])
        #expect(networks.map(\.frequency) == [2412, 5180, 2437])
        #expect(networks.map(\.text) == ["museum", nil, "q\"\u{FFFD}é"])
        let none = NetworkManagerSource(interface: "wlan9", busAddress: bus.address)
        await #expect(throws: ScannerFault.self) { try await none.scan() }
    }

    @Test("BlueZ's beacons come with their ids and without addresses, and other devices don't")
    func bluez() async throws {
        guard let bus = try MockBus() else { return }
        // Swift would let it go after its last use, the reading of its address.
        defer { bus.stop() }
        let id = try #require(EventID("f7826da6-4fa2-4e98-8024-bc5b71e0893e"))
        let all = try await BlueZ(busAddress: bus.address).beacons()
        let beacons = all.sorted { $0.rssi > $1.rssi }
        #expect(beacons.count == 2)
        #expect(
            beacons.first
                == BluetoothReading(uuid: id, major: 80, minor: 3, rssi: -71, txPower: -59))
        #expect(beacons.last?.rssi == -80 && beacons.last?.major == nil)
        #expect(beacons.allSatisfy { $0.address == nil })
        let wanted = BlueZ(busAddress: bus.address, wanted: [id])
        #expect(try await wanted.beacons().map(\.uuid) == [id])
    }

    @Test("A bus that is not there is a fault, and the next source is tried")
    func missing() async throws {
        let gone = NetworkManagerSource(interface: "wlan0", busAddress: "unix:path=/nowhere/bus")
        await #expect(throws: ScannerFault.self) { try await gone.scan() }
        let radio = Radio([gone, FakeRadio()])
        #expect(try await radio.scan().count == 1)
        #expect(await radio.sourceName == "fake")
        let kernel = NetlinkSource(interface: "none0")
        await #expect(throws: ScannerFault.self) { try await kernel.scan() }
    }

    @Test("The program iw is run with its interface, and its failure has its own words")
    func iw() async throws {
        let folder = temporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = "\(folder)/iw"
        func write(_ script: String) throws {
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: program))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: program)
        }
        try write(
            #"[ "$1 $2 $3" = "dev wlan0 scan" ]"#
                + #" && printf 'BSS 02:11:22:00:00:01(on wlan0)\n\tsignal: -50.00 dBm\n'"#
        )
        let source = IwSource(interface: "wlan0", program: program)
        #expect(try await source.scan().map(\.rssi) == [-50])
        try write("echo 'command failed: Operation not permitted (-1)' >&2; exit 255")
        do {
            _ = try await source.scan()
            Issue.record("it did not fail")
        } catch {
            #expect(error.description.contains("Operation not permitted"))
        }
    }
}

import Events
import Foundation
import ServiceRuntime
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
        let all = try await BlueZ(busAddress: bus.address).hear()
        #expect(all.people.isEmpty, "nobody asked for people's devices")
        let beacons = all.beacons.sorted { $0.rssi > $1.rssi }
        #expect(beacons.count == 2)
        #expect(
            beacons.first
                == BluetoothReading(uuid: id, major: 80, minor: 3, rssi: -71, txPower: -59))
        #expect(beacons.last?.rssi == -80 && beacons.last?.major == nil)
        #expect(beacons.allSatisfy { $0.address == nil })
        let bluez = BlueZ(busAddress: bus.address)
        #expect(try await bluez.hear(wanted: [id]).beacons.map(\.uuid) == [id])
        let heard = try await bluez.hear(wanted: [id], people: true)
        let telephone = try #require(HardwareAddress("02:11:22:00:00:13"))
        #expect(heard.people == [HeardAddress(address: telephone, rssi: -60)])
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

    @Test("A request that is cancelled stops the program iw", .timeLimit(.minutes(1)))
    func stopped() async throws {
        let folder = temporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (program, mark) = ("\(folder)/iw", "\(folder)/started")
        let script = "#!/bin/sh\necho $$ >\(mark).new; mv \(mark).new \(mark); exec sleep 3600\n"
        try Data(script.utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let keeper = try keeper("\(folder)/spool")
        let maker = ScanMaker(
            enrolment: enrolment,
            radio: Radio([IwSource(interface: "wlan0", program: program), FakeRadio()]),
            keeper: keeper,
            server: FakeServer { _, _ in .answered(status: 202, body: noneRejected) },
            time: SystemTimeSource(), wait: { _ in })
        let body = #"{"requests":[{"id":"0193aaaa-0000-7000-8000-000000000001","store":true}],"#
        let poll = try ScanRequestPoll(json: Array((body + #""next":"a"}"#).utf8))
        let request = RunningRequest()
        let running = Task { await request.run { await maker.answer(poll.tasks[0]) } }
        while !FileManager.default.fileExists(atPath: mark) {
            try await Task.sleep(for: .milliseconds(5))
        }
        let identifier = try #require(
            pid_t(
                String(decoding: Data(contentsOf: URL(fileURLWithPath: mark)), as: UTF8.self)
                    .filter(\.isNumber)))
        request.cancel()
        await running.value
        #expect(kill(identifier, 0) == -1 && errno == ESRCH, "the tool still runs")
        #expect(await keeper.isEmpty, "no other source scans instead")
        #expect(await keeper.currentHealth().faults.isEmpty)
    }
}

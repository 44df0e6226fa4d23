import Events
import Foundation
import SeededRandomness
import Testing
import Wire

@testable import Scanning

@Suite struct IwTextTests {
    @Test("Each version's blocks are read", arguments: IwFixture.all)
    func versions(fixture: IwFixture) {
        let result = IwText.read(Array(fixture.text.utf8))
        #expect(result.networks.count == fixture.blocks)
        #expect(HeardNetwork.readings(result.networks).count == fixture.readings)
    }

    @Test("The members of a block come out with their units")
    func members() throws {
        let fixture = try #require(IwFixture.all.first { $0.name == "4.9" })
        let network = try #require(IwText.read(Array(fixture.text.utf8)).networks.first)
        #expect(network.bssid == HardwareAddress("02:11:22:00:00:04"))
        #expect(network.text == "Handy AP8905")
        #expect(network.rssi == -43)
        #expect(network.frequency == 2437)
        #expect(network.ageMilliseconds == 13_740)
    }

    @Test("Quotes, line breaks, zero bytes, wrong UTF-8 and hidden names do no harm")
    func names() throws {
        let fixture = try #require(IwFixture.all.first { $0.isMadeUp })
        let result = IwText.read(Array(fixture.text.utf8))
        #expect(result.withoutStrength == 1)
        let names = result.networks.map(\.text)
        // A name has at most 32 bytes, so the forged block's rest is cut.
        #expect(names[0] == " a \"quoted\" \\name\u{FFFD}BSS 02:ff:ff:f")
        #expect(names[1] == nil)
        #expect(names[3] == "café \u{FFFD}")
        let readings = HeardNetwork.readings(result.networks)
        let last = try #require(readings.last)
        #expect(last.rssi == -49 && last.ssid == "twice" && last.frequency == 5200)
    }

    @Test("Output cut at any byte gives whole blocks, or their beginning", arguments: IwFixture.all)
    func cut(fixture: IwFixture) {
        let bytes = Array(fixture.text.utf8)
        let whole = IwText.read(bytes).networks
        for count in 0..<bytes.count {
            let found = IwText.read(Array(bytes[..<count])).networks
            for (index, network) in found.enumerated() {
                #expect(network.bssid == whole[index].bssid)
                #expect(network.rssi == nil || network.rssi == whole[index].rssi)
                #expect(network.text == nil || network.text == whole[index].text)
            }
        }
    }

    @Test("jc reads the same strengths, frequencies and names")
    func peer() throws {
        let program = """
            import jc, json, re, sys
            # jc takes the heading of a frame's members over into the next block.
            def read(text):
                blocks = [b for b in re.split(r"(?m)^(?=BSS )", text) if b]
                return sum((jc.parse("iw_scan", b, quiet=True) for b in blocks), [])
            print(json.dumps([read(text) for text in json.load(sys.stdin)]))
            """
        let fixtures = IwFixture.all.filter { !$0.isMadeUp }
        let input = try JSONSerialization.data(withJSONObject: fixtures.map(\.text))
        // deploy/test installs jc, and names the Python that has it.
        let python = ProcessInfo.processInfo.environment["WHEREABOUTS_JC"] ?? "python3"
        guard let output = try run([python, "-c", program], input: input) else {
            print("skipped: jc is not there (pip install jc)")
            return
        }
        let read = try #require(
            JSONSerialization.jsonObject(with: output) as? [[[String: Any]]])
        for (fixture, peers) in zip(fixtures, read) {
            let ours = IwText.read(Array(fixture.text.utf8)).networks
            #expect(peers.count == ours.count)
            for (network, peer) in zip(ours, peers) {
                #expect(peer["bssid"] as? String == network.bssid.text)
                let strength = try #require(
                    (peer["signal_dbm"] as? NSNumber)?.doubleValue, "\(fixture.name): \(peer)")
                #expect(Int(strength.rounded()) == network.rssi)
                #expect((peer["freq"] as? NSNumber)?.intValue == network.frequency)
                // jc puts the frame's heading before the name of a member that follows it.
                let name = peer.first { $0.key.hasSuffix("ssid") && $0.key != "bssid" }?.value
                #expect((name as? String ?? "") == network.text ?? "")
            }
        }
    }
}

/// Runs a program with this input. Nil when it fails.
func run(_ words: [String], input: Data) throws -> Data? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = FileHandle.nullDevice
    try process.run()
    stdin.fileHandleForWriting.write(input)
    try stdin.fileHandleForWriting.close()
    let output = stdout.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? output : nil
}

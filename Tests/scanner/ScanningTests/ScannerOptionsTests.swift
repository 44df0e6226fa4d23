import Testing

@testable import Scanning

@Suite struct ScannerOptionsTests {
    @Test("Commands and options are read, with the defaults for the rest")
    func options() throws {
        let options = try ScannerOptions(["run", "--interface", "wlp2s0", "--interval", "10"])
        #expect(options.verb == .run && options.interface == "wlp2s0")
        #expect(options.intervalSeconds == 10 && options.restFactor == 5)
        #expect(options.spoolMegabytes == 200)
        #expect(try ScannerOptions(["--from", "-"]).readsLines)
        #expect(try ScannerOptions(["--from", "-", "--requests", "-"]).passesRequests)
        #expect(try ScannerOptions(["pairing-code", "--state", "a"]).verb == .pairingCode)
        #expect(try ScannerOptions(["enrol", "https://a", "CODE"]).words == ["https://a", "CODE"])
    }

    @Test(
        "Wrong words are refused with the reason",
        arguments: [
            ["dance"], ["run", "--interface", "-evil"], ["run", "--interface", "a/b"],
            ["enrol", "https://a"], ["--interval", "0"], ["--from", "file"], ["--what"],
            ["--source", "magic"], ["--spool-megabytes"], ["--uuids", "no"], ["--requests", "-"],
            ["--from", "-", "--requests", "file"], ["pairing-code", "493027"],
        ])
    func wrong(arguments: [String]) {
        #expect(throws: ScannerFault.self) { try ScannerOptions(arguments) }
    }

    @Test("A wrong command line ends with the code that systemd does not restart after")
    func usage() async { #expect(await ScannerCommand.run(["dance"]) == 64) }
}

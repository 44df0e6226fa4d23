import Glibc
internal import HTTPClient
internal import ServiceRuntime
internal import Wire

/// Runs one command of `scanner`.
public enum ScannerCommand {
    /// - Parameter arguments: without the program's name.
    /// - Returns: the exit code.
    public static func run(_ arguments: [String]) async -> Int32 {
        do throws(ScannerFault) {
            let options: ScannerOptions
            do throws(ScannerFault) {
                options = try ScannerOptions(arguments)
            } catch {
                writeLine("scanner: \(error); see scanner --help")
                return ExitCode.usage.rawValue
            }
            return try await run(options)
        } catch {
            writeLine("\(error)")
            return ExitCode.failure.rawValue
        }
    }

    private static func run(_ options: ScannerOptions) async throws(ScannerFault) -> Int32 {
        let folder =
            options.stateFolder.map { StateFolder(path: $0) } ?? StateFolder.usual
        switch options.verb {
        case .help: print(ScannerOptions.usage, terminator: "")
        case .enrol: try await enrol(options, folder)
        case .checkConfig:
            let enrolment = try folder.enrolment()
            writeLine("\(enrolment.scanner) of \(enrolment.site), at \(enrolment.server)")
        case .pairingCode: try await pairingCode(options, folder)
        case .status: return try status(folder)
        case .once: try await once(options)
        case .run: return try await ScannerProgram(options, folder).run()
        }
        return ExitCode.success.rawValue
    }

    private static func enrol(
        _ options: ScannerOptions, _ folder: StateFolder
    ) async throws(ScannerFault) {
        var address = options.words[0]
        while address.hasSuffix("/") { address.removeLast() }
        // `HTTPS://` is the same; other parts of the program compare small letters.
        guard
            let scheme = ["https://", "http://"].first(where: address.lowercased().hasPrefix)
        else {
            throw ScannerFault("\(address) is no address: it begins with https:// or http://")
        }
        address = scheme + address.dropFirst(scheme.count)
        // A code works once, so the token must find its place.
        try folder.write([], to: folder.enrolmentFile + ".try")
        unlink(folder.enrolmentFile + ".try")
        let server = RemoteServer(client(options), address: address, token: nil)
        let reply = await server.send(
            "POST", "/v1/enrolments", body: ScannerEnrolment.order(code: options.words[1]),
            timeoutSeconds: 30)
        switch reply {
        case .lost(let reason): throw ScannerFault("\(address) is not reached: \(reason)")
        case .answered(let status, let body, _):
            guard status == 200 || status == 201 else {
                throw ScannerFault("the server refuses the code: \(reason(status, body))")
            }
            guard let enrolment = try? ScannerEnrolment(json: body, server: address) else {
                throw ScannerFault("the server's answer can't be read")
            }
            try folder.write(enrolment.json, to: folder.enrolmentFile, isLasting: true)
            writeLine("enrolled as \(enrolment.scanner) of \(enrolment.site)")
            if let end = tokenEnd(of: enrolment) { writeLine(end) }
        }
    }

    /// When the token ends, for people; nil where the server did not say so.
    static func tokenEnd(of enrolment: ScannerEnrolment) -> String? {
        enrolment.expiresAt.map { "the token ends at \($0.text): enrol the scanner again before" }
    }

    /// The code of the server's problem, and its sentence for people.
    static func reason(_ status: Int, _ body: [UInt8]) -> String {
        let code = BatchReply(json: body).code ?? "status \(status)"
        return AnsweredProblem(json: body).detail.map { "\(code): \($0)" } ?? code
    }

    /// Prints a new code by which a visitor pairs with this scanner.
    private static func pairingCode(
        _ options: ScannerOptions, _ folder: StateFolder
    ) async throws(ScannerFault) {
        let enrolment = try folder.enrolment()
        let server = RemoteServer(
            client(options), address: enrolment.server, token: enrolment.token)
        let code = try await pairingCode(of: enrolment, from: server)
        print(code)
        writeLine("It is valid for ten minutes and for one visitor; a former code has ended.")
        writeLine("On the same telephone: \(pairingLink(code, of: enrolment))")
    }

    /// The page that pairs with the scanner. Browsers send what is behind `#` to no server.
    static func pairingLink(_ code: String, of enrolment: ScannerEnrolment) -> String {
        "\(enrolment.server)/s/\(enrolment.site)?panel=pair#code=\(code)"
    }

    static func pairingCode(
        of enrolment: ScannerEnrolment, from server: any ScannerServer
    ) async throws(ScannerFault) -> String {
        let reply = await server.send(
            "POST", "/v1/scanners/\(enrolment.scanner)/pairing-code", body: [],
            timeoutSeconds: 30)
        switch reply {
        case .lost(let reason):
            throw ScannerFault("\(enrolment.server) is not reached: \(reason)")
        case .answered(let status, let body, _):
            guard (200...299).contains(status) else {
                throw ScannerFault("the server gives no code: \(reason(status, body))")
            }
            guard let code = try? CodeAnswer(json: body).code else {
                throw ScannerFault("the server's answer can't be read")
            }
            return code
        }
    }

    /// Prints the status file. The code is 1 if it is over a minute old, or there is a fault.
    private static func status(_ folder: StateFolder) throws(ScannerFault) -> Int32 {
        var file = stat()
        guard let bytes = StateFolder.contents(folder.statusFile),
            stat(folder.statusFile, &file) == 0
        else { throw ScannerFault("\(folder.statusFile) is not there: the scanner never ran") }
        let age = time(nil) - file.st_mtim.tv_sec
        if age > 60 { writeLine("the scanner does not run: its status is \(age) s old") }
        print(String(decoding: bytes, as: UTF8.self))
        if let end = (try? folder.enrolment()).flatMap(tokenEnd(of:)) { writeLine(end) }
        let isWell = age <= 60 && String(decoding: bytes, as: UTF8.self).hasSuffix("\"faults\":[]}")
        return isWell ? ExitCode.success.rawValue : ExitCode.failure.rawValue
    }

    private static func once(_ options: ScannerOptions) async throws(ScannerFault) {
        let radio = Radio(
            WiFiSources.sources(options.source, interface: options.interface))
        let readings = try await radio.scan()
        let now = SystemTimeSource().nowMicroseconds
        print(String(decoding: ScanMaker.printed(readings, at: now), as: UTF8.self))
    }

    static func client(_ options: ScannerOptions) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.maximumResponseBytes = 1 << 20
        configuration.certificateFile = options.certificateFile
        return HTTPClient(configuration)
    }

    private static func writeLine(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}

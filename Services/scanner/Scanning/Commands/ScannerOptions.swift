internal import Events

/// The command line of `scanner`.
struct ScannerOptions: Hashable, Sendable {
    enum Verb: String, Hashable, Sendable {
        case enrol, run, status, once, help, checkConfig
        case pairingCode = "pairing-code"
    }

    var verb = Verb.run
    /// The words after the command, such as an address and a code.
    var words: [String] = []
    var stateFolder: String?
    var interface = "wlan0"
    /// A source's name; nil for the first one that works.
    var source: String?
    var usesBluetooth = true
    /// The port on this machine at which a page gets the scans; nil for none.
    var listensAt: Int?
    /// The UUIDs of the site's beacons; empty for all beacons.
    var uuids: Set<EventID> = []
    /// Reads scans from standard input instead of a radio.
    var readsLines = false
    /// Writes scan requests to standard output for the program whose lines it reads.
    var passesRequests = false
    var intervalSeconds = 5.0
    var restFactor = 5.0
    var spoolMegabytes = 200
    /// A file of certificates (PEM) that are trusted besides the machine's.
    var certificateFile: String?

    static let usage = """
        scanner: sends a Linux machine's radio scans to Whereabouts

        usage: scanner enrol URL CODE     gets a token by a code that an administrator made
               scanner run [OPTION ...]   scans and sends until it is stopped
               scanner once [OPTION ...]  makes one scan, prints it, and sends nothing
               scanner status             prints the state of the running scanner
               scanner pairing-code       prints six digits by which a visitor pairs with this
                                          scanner within ten minutes
               scanner --check-config [OPTION ...] | --help

          --state DIR            folder of the enrolment, the spool and the status
                                 (STATE_DIRECTORY, else ~/.local/state/whereabouts-scanner)
          --interface NAME       the Wi-Fi interface (wlan0)
          --source NAME          nl80211, networkmanager or iw (the first that works)
          --bluetooth on|off     hears beacons by BlueZ (on)
          --uuids ID,ID          only beacons of these UUIDs (all)
          --listen 127.0.0.1:PORT  gives the latest scan to a page of the server on this machine
          --from -               reads scans as JSON lines from standard input, without a radio;
                                 scan requests are not answered
          --requests -           with --from -: writes scan requests as JSON lines to standard
                                 output, and takes lines with their ids as the answers
          --interval SECONDS     between scans, 1 to 3600 (5)
          --rest-factor FACTOR   times longer between scans at rest, 1 to 100 (5)
          --spool-megabytes N    room for scans that wait, 1 to 100000 (200)
          --certificates FILE    certificates (PEM) that are trusted besides the machine's

        """

    /// - Parameter arguments: without the program's name.
    init(_ arguments: [String]) throws(ScannerFault) {
        var rest = arguments[...]
        if let first = rest.first, let verb = Verb(rawValue: first) {
            self.verb = verb
            rest.removeFirst()
        }
        while let name = rest.popFirst() {
            switch name {
            case "--help", "-h": verb = .help
            case "--check-config": verb = .checkConfig
            case "--state": stateFolder = try Self.value(name, &rest)
            case "--interface": interface = try Self.value(name, &rest)
            case "--source": source = try Self.value(name, &rest)
            case "--certificates": certificateFile = try Self.value(name, &rest)
            case "--bluetooth":
                let value = try Self.value(name, &rest)
                guard value == "on" || value == "off" else {
                    throw ScannerFault("--bluetooth is on or off")
                }
                usesBluetooth = value == "on"
            case "--listen":
                let parts = try Self.value(name, &rest).split(separator: ":")
                guard parts.count == 2, parts[0] == "127.0.0.1", let port = UInt16(parts[1]) else {
                    throw ScannerFault("--listen takes 127.0.0.1:PORT, this machine alone")
                }
                listensAt = Int(port)
            case "--uuids":
                for text in try Self.value(name, &rest).split(separator: ",") {
                    guard let id = EventID(text) else { throw ScannerFault("\(text) is no UUID") }
                    uuids.insert(id)
                }
            case "--from":
                guard try Self.value(name, &rest) == "-" else {
                    throw ScannerFault("--from takes - for standard input")
                }
                readsLines = true
            case "--requests":
                guard try Self.value(name, &rest) == "-" else {
                    throw ScannerFault("--requests takes - for standard output")
                }
                passesRequests = true
            case "--interval": intervalSeconds = try Self.number(name, &rest, in: 1...3_600)
            case "--rest-factor": restFactor = try Self.number(name, &rest, in: 1...100)
            case "--spool-megabytes":
                spoolMegabytes = Int(try Self.number(name, &rest, in: 1...100_000))
            default:
                guard !name.hasPrefix("-") else { throw ScannerFault("unknown option \(name)") }
                words.append(name)
            }
        }
        try check()
    }

    private func check() throws(ScannerFault) {
        guard readsLines || !passesRequests else {
            throw ScannerFault("--requests goes with --from -")
        }
        let wanted = verb == .enrol ? 2 : 0
        guard verb == .help || words.count == wanted else {
            throw ScannerFault(
                verb == .enrol
                    ? "write: scanner enrol URL CODE" : "unknown command \(words.first ?? "")")
        }
        // The kernel's own rule, so that an interface is never an option of `iw`.
        let isName = interface.utf8.allSatisfy { byte in
            byte > 0x20 && byte != UInt8(ascii: "/") && byte < 0x7F
        }
        guard isName, (1...15).contains(interface.utf8.count), !interface.hasPrefix("-") else {
            throw ScannerFault("\(interface) is no name of an interface")
        }
        guard source == nil || WiFiSources.names.contains(source ?? "") else {
            let names = WiFiSources.names.joined(separator: ", ")
            throw ScannerFault("--source is one of \(names)")
        }
    }

    private static func value(
        _ name: String, _ rest: inout ArraySlice<String>
    ) throws(ScannerFault) -> String {
        guard let value = rest.popFirst() else { throw ScannerFault("\(name) needs a value") }
        return value
    }

    private static func number(
        _ name: String, _ rest: inout ArraySlice<String>, in range: ClosedRange<Double>
    ) throws(ScannerFault) -> Double {
        let text = try value(name, &rest)
        guard let number = Double(text), range.contains(number) else {
            throw ScannerFault(
                "\(name) \(text) is not within \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

import Foundation

/// Starts workers, batch by batch, and counts the results of the files.
struct FuzzRun {
    /// The number of files per worker. A new worker starts with fresh memory, so its memory is that
    /// of few files.
    private static let batch = 500

    private let name: String
    private let settings: FuzzSettings

    init(_ name: String, _ settings: FuzzSettings) {
        self.name = name
        self.settings = settings
    }

    static func path(ofWorker process: Int32) -> String {
        FileManager.default.temporaryDirectory.appending(path: "whereabouts-fuzz-\(process)").path
    }

    func run(_ count: Int) throws -> FuzzTally {
        let began = Date()
        var tally = FuzzTally(format: name, seed: settings.seed)
        let end = settings.first + count
        var next = settings.first
        while next < end {
            next = try runWorker(from: next, count: min(Self.batch, end - next), &tally)
        }
        tally.seconds = Date().timeIntervalSince(began)
        return tally
    }

    /// Runs one worker. Returns the number of the next file.
    private func runWorker(from first: Int, count: Int, _ tally: inout FuzzTally) throws -> Int {
        let worker = Process()
        worker.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        worker.arguments =
            [name, "\(count)", "--worker", "yes", "--seed", "\(settings.seed)"]
            + ["--from", "\(first)", "--seconds", "\(settings.seconds)"]
            // Only the first worker gets the planted fault, so that the run goes on.
            + (first == settings.first
                ? settings.planted.map { ["--plant", $0.rawValue] } ?? [] : [])
        let output = Pipe()
        worker.standardOutput = output
        try worker.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        worker.waitUntilExit()
        let path = Self.path(ofWorker: worker.processIdentifier)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var underWay: Int?
        var next = first
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count >= 2, let number = Int(words[1]) else { continue }
            switch words[0] {
            case "begin": underWay = number
            case "end":
                underWay = nil
                next = number + 1
                tally.count(number, words.count > 2 ? words[2] : "")
            case "memory": tally.tooLarge.append(number)
            case "peak": tally.peakMebibytes = max(tally.peakMebibytes, number)
            default: break
            }
        }
        if let number = underWay {
            let isHang =
                worker.terminationReason == .uncaughtSignal && worker.terminationStatus == SIGALRM
            if isHang { tally.hung.append(number) } else { tally.crashed.append(number) }
            keep(path, number)
            return number + 1
        }
        // A worker that ends early without a file in work is broken itself.
        guard next > first else {
            throw CocoaError(.executableLoad)
        }
        return next
    }

    private func keep(_ path: String, _ number: Int) {
        guard let folder = settings.keepFolder else { return }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let kept = "\(folder)/\(name)-\(settings.seed)-\(number)"
        try? FileManager.default.copyItem(atPath: path, toPath: kept)
    }
}

struct FuzzTally {
    let format: String
    let seed: UInt64
    var imported = 0
    var refused = 0
    var crashed: [Int] = []
    var hung: [Int] = []
    var tooLarge: [Int] = []
    /// The errors of the import that did no harm, by the file's number.
    var wrong: [Int: String] = [:]
    var peakMebibytes = 0
    var seconds = 0.0

    init(format: String, seed: UInt64) {
        self.format = format
        self.seed = seed
    }

    mutating func count(_ number: Int, _ verdict: String) {
        switch verdict {
        case "imported": imported += 1
        case "refused": refused += 1
        default: wrong[number] = verdict
        }
    }

    var isClean: Bool {
        crashed.isEmpty && hung.isEmpty && tooLarge.isEmpty && wrong.isEmpty && imported > 0
    }

    var json: String {
        for (number, verdict) in wrong.sorted(by: { $0.key < $1.key }) {
            print("\(number): \(verdict)")
        }
        func list(_ numbers: [Int]) -> String {
            "[\(numbers.map(String.init).joined(separator: ","))]"
        }
        return "{\"format\":\"\(format)\",\"seed\":\(seed),\"imported\":\(imported)"
            + ",\"refused\":\(refused),\"crashed\":\(list(crashed)),\"hung\":\(list(hung))"
            + ",\"tooLarge\":\(list(tooLarge)),\"wrong\":\(list(wrong.keys.sorted()))"
            + ",\"peakMebibytes\":\(peakMebibytes),\"seconds\":\(Int(seconds.rounded()))}"
    }
}

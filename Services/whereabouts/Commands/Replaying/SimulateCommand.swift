import Archive
import Events
import JSON
import Simulation
import Wire

extension Command {
    /// Makes files of a simulated building: its site, its surveys, and scans of people who walk in
    /// it.
    public static let simulate = Command(
        name: "simulate", summary: "make a simulated building with surveys and walkers",
        help: """
            whereabouts simulate --output DIR [--seed N] [--devices N] [--minutes N] [--noise DB]
                [--taps N] [--pressure]

              --output   the folder for site.json, surveys.jsonl.gz and scans.jsonl.gz; the scans
                         state the true places. Files of an earlier simulation are replaced. If
                         its scans.jsonl.gz is there, its taps.jsonl.gz is removed
              --seed     the same seed gives the same files (default 1)
              --devices  the number of walkers (default 20)
              --minutes  how long each walks, with a scan every 4 s (default 10)
              --noise    standard deviation of a reading over time (default 4)
              --taps     how often an hour each says "I am here" (default 0), in taps.jsonl.gz
              --pressure scans have an air pressure; all else is as without

            The model is described in docs/simulator.md.
            """,
        run: { try simulate($0) })

    /// When the first survey of every simulation is made: 2026-01-05T08:00:00Z.
    private static let start = Timestamp(milliseconds: 1_767_600_000_000)

    private static func simulate(_ invocation: Invocation) throws {
        let reader = try ArgumentReader(
            invocation.arguments,
            options: ["--output", "--seed", "--devices", "--minutes", "--noise", "--taps"],
            flags: ["--pressure"])
        guard let output = reader.last("--output"), reader.positional.isEmpty else {
            throw UsageFault("simulate needs --output DIR and options only")
        }
        let seed = try reader.unsigned("--seed") ?? 1
        let devices = Int(clamping: try reader.unsigned("--devices") ?? 20)
        let minutes = try reader.number("--minutes", in: 0.01...10_080) ?? 10
        let noise = try reader.number("--noise", in: 0...20) ?? 4
        let tapsPerHour = try reader.number("--taps", in: 0...900) ?? 0
        guard (1...100_000).contains(devices) else {
            throw UsageFault("--devices needs a number between 1 and 100000")
        }
        try makeFolder(output)
        // Taps of another building would lie beside this one's scans. Without those of a former
        // simulation, the taps are somebody's own.
        if hasFile("\(output)/scans.jsonl.gz") {
            try removeFile("\(output)/taps.jsonl.gz")
        }
        let building = SimulatedBuilding.make(seed: seed)
        try writeFile("\(output)/site.json", building.document.json)
        let surveys = SimulatedSurvey(
            of: building, seed: seed, start: start, noiseSigma: noise)
        let end = surveys.end
        let surveyFile = try GzipWriter(path: "\(output)/surveys.jsonl.gz")
        var surveyCount = 0
        for survey in surveys {
            try surveyFile.writeLine(ScanSubmission(survey.scan, place: survey.place).json)
            surveyCount += 1
        }
        try surveyFile.close()
        let walks = (0..<devices).map { number in
            let device = DeviceID("walker-\(number + 1)")
            return SimulatedWalk(
                in: building, seed: seed, device: device, start: end,
                durationSeconds: minutes * 60, noiseSigma: noise,
                barometer: reader.has("--pressure")
                    ? SimulatedBarometer(seed: seed, device: device) : nil)
        }
        let taps =
            tapsPerHour > 0
            ? try TapFile(
                "\(output)/taps.jsonl.gz", seed: seed, devices: devices, perHour: tapsPerHour)
            : nil
        let scanCount = try write(
            walks, to: "\(output)/scans.jsonl.gz", taps, expected: Int(minutes * 15) * devices)
        try taps?.close()
        var line = JSONWriter()
        line.beginObject()
        line.field("surveys", surveyCount)
        line.field("scans", scanCount)
        if let taps { line.field("taps", taps.count) }
        line.field("devices", devices)
        line.endObject()
        invocation.output(line.finishText())
    }

    /// Writes the scans of all walks in the order of their times, and returns their number.
    private static func write(
        _ walks: [SimulatedWalk], to path: String, _ taps: TapFile?, expected: Int
    ) throws -> Int {
        var walks = walks
        // Every walk makes one scan per period, so sorting each period alone keeps all in order.
        var waiting = walks.indices.map { walks[$0].next() }
        let file = try GzipWriter(path: path)
        let progress = ProgressReporter("simulating", unit: "scans", total: expected)
        var count = 0
        while true {
            let band = waiting.indices.compactMap { index in
                waiting[index].map { (index, $0) }
            }.sorted { $0.1.scan.at < $1.1.scan.at }
            guard !band.isEmpty else { break }
            for (index, next) in band {
                let truth = ScanTruth(
                    floor: next.truth.floor, room: next.truth.room, x: next.truth.x,
                    y: next.truth.y)
                try file.writeLine(ScanSubmission(next.scan, truth: truth).json)
                try taps?.write(of: index, at: next)
                waiting[index] = walks[index].next()
                count += 1
                progress.advance()
            }
        }
        try file.close()
        progress.finish()
        return count
    }
}

/// The taps of all walkers, in a file of their own.
private final class TapFile {
    private let file: GzipWriter
    private var taps: [SimulatedTaps]
    private(set) var count = 0

    init(_ path: String, seed: UInt64, devices: Int, perHour: Double) throws {
        file = try GzipWriter(path: path)
        taps = (0..<devices).map { number in
            SimulatedTaps(
                seed: seed, device: DeviceID("walker-\(number + 1)"), perHour: perHour)
        }
    }

    /// Writes the tap of the walker at this scan, if there is one.
    func write(of walker: Int, at scan: SimulatedScan) throws {
        guard let tap = taps[walker].tap(at: scan) else { return }
        try file.writeLine(ScanSubmission(tap.scan, place: tap.place).json)
        count += 1
    }

    func close() throws { try file.close() }
}

extension GzipWriter {
    func writeLine(_ line: [UInt8]) throws(ArchiveError) {
        try write(line + [UInt8(ascii: "\n")])
    }
}

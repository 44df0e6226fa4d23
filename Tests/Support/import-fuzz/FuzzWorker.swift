import Events
import Foundation
import Glibc
import Site
import SiteExchange
import Wire

/// The process that imports. It reports each file's begin and result. A harmful file kills this
/// process only.
struct FuzzWorker {
    private let source: any FuzzSource
    private let settings: FuzzSettings
    private let path: String

    init(_ source: any FuzzSource, _ settings: FuzzSettings) {
        self.source = source
        self.settings = settings
        path = FuzzRun.path(ofWorker: getpid())
    }

    func run(_ count: Int) throws {
        // The kernel stops a process that uses this much memory.
        var limit = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        // The parent may have blocked or ignored the alarm signal, and this process inherits that.
        signal(SIGALRM, SIG_DFL)
        var alarms = sigset_t()
        sigemptyset(&alarms)
        sigaddset(&alarms, SIGALRM)
        sigprocmask(SIG_UNBLOCK, &alarms, nil)
        for number in settings.first..<(settings.first + count) {
            try source.write(number, seed: settings.seed, to: path)
            report("begin \(number)")
            alarm(settings.seconds)
            if number == settings.first + 2, let planted = settings.planted { harm(planted) }
            let verdict = judge(number)
            alarm(0)
            report("end \(number) \(verdict)")
            guard peakMebibytes <= FuzzSettings.memoryMebibytes else {
                report("memory \(number) \(peakMebibytes)")
                break
            }
        }
        report("peak \(peakMebibytes)")
        unlink(path)
    }

    /// The result: `imported`, `refused`, or the import's error.
    private func judge(_ number: Int) -> String {
        do {
            let imported = try source.read(path)
            if let fault = SiteValidation.faults(in: imported.document).first {
                return "wrong invalid \(fault.subject) \(fault.detail)"
            }
            guard number % 8 == 0 else { return "imported" }
            guard try source.read(path) == imported else {
                return "wrong differs when imported again"
            }
            guard try SiteDocument(json: imported.document.json) == imported.document else {
                return "wrong differs when written and read"
            }
            return "imported"
        } catch let refusal as ImportRefusal where refusal.code == .invalidSite {
            return "wrong \(refusal)"
        } catch is WireFault {
            return "wrong can't be read when written"
        } catch {
            return "refused"
        }
    }

    private var peakMebibytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss / 1_024
    }

    private func report(_ line: String) {
        let line = line.replacing("\n", with: " ") + "\n"
        line.withCString { _ = Glibc.write(STDOUT_FILENO, $0, strlen($0)) }
    }

    private func harm(_ planted: FuzzSettings.Planted) {
        switch planted {
        case .crash: abort()
        case .hang: while true { pause() }
        case .memory:
            let bytes = [UInt8](repeating: 7, count: 600 << 20)
            report("planted \(bytes[bytes.count - 1])")
        }
    }
}

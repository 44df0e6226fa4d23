import ChildProgram
import Foundation
import Positioning
import Wire

/// A running program with its radio map. It asks the program, and restarts it after a failure. All
/// calls block.
struct ProgramSession {
    private let command: String
    private let map: RadioMap
    private let settings: ProgramPositioner.Settings
    private let reports: ProgramReports
    private var program: LineProgram?
    private var schedule = RestartSchedule()
    /// The program is not started again before this moment.
    private var restart = ContinuousClock.now
    private var queries = 0

    init(
        command: String, map: RadioMap, settings: ProgramPositioner.Settings,
        reports: ProgramReports
    ) {
        self.command = command
        self.map = map
        self.settings = settings
        self.reports = reports
    }

    /// Whether the program can be asked without a start.
    var isRunning: Bool {
        guard let program else { return false }
        return program.fault == nil
    }

    /// Whether the pause after the last failure is over.
    var mayStart: Bool { restart <= .now }

    /// Starts the program, unless it runs or was given up; true when it can be asked.
    mutating func start() -> Bool {
        if let fault = program?.fault {
            failed("\(fault)")
        }
        guard program == nil else { return true }
        if let most = settings.givesUpAfter, schedule.failures >= most { return false }
        let pause = restart - .now
        if pause > .zero {
            guard settings.waitsForRestart else { return false }
            Thread.sleep(forTimeInterval: pause / .seconds(1))
        }
        do {
            let started = try LineProgram(
                command, maximumAnswerBytes: PositionerLines.maximumAnswerBytes,
                network: settings.mayUseNetwork ? .allowed : .denied)
            let line = try started.ask(
                PositionerLines.radioMap(map), within: settings.readyLimit)
            do {
                try PositionerLines.readiness(line)
            } catch {
                started.stop()
                throw error
            }
            program = started
            return true
        } catch {
            failed("did not accept the radio map: \(error)")
            return false
        }
    }

    /// Asks the running program about one scan; nil when it gave no usable answer.
    ///
    /// - Parameter fault: checks a well-formed estimate, and returns a description of its fault.
    mutating func answer(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, fault: (Estimate) -> String?
    ) -> PositionerLines.Answer? {
        guard let program else { return nil }
        queries += 1
        do {
            let line = try program.ask(
                PositionerLines.query(queries, scan, state: state, seed: seed),
                within: settings.answerLimit)
            let answer = try PositionerLines.answer(line)
            guard answer.query == queries else {
                failed("answered query \(answer.query) in place of \(queries)")
                return nil
            }
            if let fault = fault(answer.estimate) {
                failed("gave an impossible answer: \(fault)")
                return nil
            }
            schedule.answered()
            reports.answered()
            return answer
        } catch let error as ChildProgramError {
            failed("\(error)")
        } catch {
            failed("gave an answer that can't be read: \(error)")
        }
        return nil
    }

    private mutating func failed(_ failure: String) {
        program?.stop()
        program = nil
        restart = .now + schedule.failed()
        let isLast = schedule.failures == settings.givesUpAfter
        reports.failed(isLast ? "\(failure); it is given up" : "\(failure); it is started again")
    }
}

import Foundation
import Repository
import Testing

@Suite("Steps of the scripts") struct StepsTests {
    /// If the program went on, it would hold the output open until its own end.
    @Test("A script that is ended while it waits for a program ends at once, and it ends, too")
    func interrupted() throws {
        let script = """
            . "\(repository.path)/deploy/steps.sh"
            work() { interruptible sleep 300; }
            (until pgrep -P $$ -x sleep >/dev/null; do sleep 0.1; done; kill -TERM $$) &
            on_exit 'echo cleaned up'
            step wait work
            """
        let began = ContinuousClock.now
        // Tests block signals, and programs that they start inherit that.
        let unblocking = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execvp("bash", ["bash", "-c", sys.argv[1]])
            """
        let (status, output) = try DeployTests.run(
            ["python3", "-c", unblocking, script], environment: [:])
        #expect(status == 143 && output.contains("cleaned up"), "\(output)")
        #expect(ContinuousClock.now - began < .seconds(120))
    }

    @Test("The quickstart waits for its long programs so that it can be ended at once")
    func quickstart() throws {
        let lines = try DeployTests.text("deploy/quickstart").split(separator: "\n")
        for program in ["\"$program\" replay", "\"$program\" import", "\"$program\" simulate"] {
            let calls = lines.filter { $0.contains(program) }
            #expect(!calls.isEmpty)
            #expect(calls.allSatisfy { $0.contains("interruptible") }, "\(program)")
        }
    }
}

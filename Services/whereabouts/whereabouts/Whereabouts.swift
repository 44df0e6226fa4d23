import Commands
import Glibc
import ServiceRuntime

@main struct Whereabouts {
    static func main() async {
        endAtSignalsAsFirstProcess()
        let table = CommandTable(program: "whereabouts", Command.all)
        let status = await table.run(
            ServiceProgram.arguments(of: processArguments()), output: writeLineToStandardOutput,
            note: writeLineToStandardError)
        exit(status)
    }
}

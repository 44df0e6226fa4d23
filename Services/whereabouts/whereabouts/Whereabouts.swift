import Commands
import Glibc
import ServiceRuntime

@main struct Whereabouts {
    static func main() async {
        let table = CommandTable(
            program: "whereabouts",
            [
                .serve, .token, .importFile, .export, .replay, .simulate, .route, .accuracy,
                .relocate,
                .rebuild, .skip, .deadLetters, .check, .draw, .sign, .databaseRoles, .topics,
                .describe,
                .publish, .versions, .restore, .outage, .surveys,
            ])
        let status = await table.run(
            ServiceProgram.arguments(of: processArguments()), output: writeLineToStandardOutput,
            note: writeLineToStandardError)
        exit(status)
    }
}

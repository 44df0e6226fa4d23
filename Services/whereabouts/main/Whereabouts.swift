import Glibc
import WhereaboutsCommands

@main struct Whereabouts {
    static func main() async {
        let table = CommandTable(
            program: "whereabouts",
            [
                .serve, .token, .importFile, .export, .replay, .simulate, .route, .accuracy,
                .relocate,
<<<<<<< HEAD
                .rebuild, .skip, .check, .draw, .describe,
=======
                .rebuild, .check, .draw, .describe, .surveys,
>>>>>>> f88c221 (WIP2)
            ])
        let status = await table.run(
            Array(CommandLine.arguments.dropFirst()), output: writeLineToStandardOutput,
            note: writeLineToStandardError)
        exit(status)
    }
}

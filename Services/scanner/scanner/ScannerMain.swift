import Glibc
import Scanning

@main struct ScannerMain {
    static func main() async {
        let status = await ScannerCommand.run(Array(CommandLine.arguments.dropFirst()))
        exit(status)
    }
}

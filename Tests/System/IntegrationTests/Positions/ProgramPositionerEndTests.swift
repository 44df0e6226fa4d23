import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ProgramPositionerEndTests {
    @Test("A positioner's program that hangs ends with the command, even when that is killed")
    func endsWithTheCommand() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = "0,LONGITUDE,LATITUDE,ALTITUDE,FLOOR,BUILDINGID\n-50,1,1,0,2,0\n"
        for name in ["Train.csv", "Test.csv"] {
            try Data(table.utf8).write(to: folder.appending(path: name))
        }
        // Deaf to signals, and a child of the shell that the command runs in.
        let note = folder.appending(path: "pid").path
        let python =
            "import os, signal, time; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]; "
            + "open(\"\(note).new\", \"w\").write(str(os.getpid())); "
            + "os.rename(\"\(note).new\", \"\(note)\"); time.sleep(1000)"
        let words = Programs.command("whereabouts")
        let command = Process()
        command.executableURL = URL(filePath: words[0])
        command.arguments =
            words.dropFirst() + [
                "accuracy", "surimi", folder.path(), "--positioner",
                "exec:/usr/bin/python3 -c '\(python)'; true",
            ]
        command.standardError = FileHandle.nullDevice
        command.standardOutput = FileHandle.nullDevice
        try command.run()
        try #require(eventually { FileManager.default.fileExists(atPath: note) })
        let program = try #require(pid_t(try String(contentsOfFile: note, encoding: .utf8)))
        #expect(runs(program))
        kill(command.processIdentifier, SIGKILL)
        command.waitUntilExit()
        #expect(eventually { !runs(program) })
    }

    /// Whether it exists and is no zombie.
    private func runs(_ identifier: pid_t) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        return status.map { !$0.contains("State:\tZ") } ?? false
    }

    /// Within a minute.
    private func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1_200 {
            if condition() { return true }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return false
    }
}

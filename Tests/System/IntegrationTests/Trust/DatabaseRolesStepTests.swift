import Foundation
import Postgres
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The step that makes the database's roles") struct DatabaseRolesStepTests {
        private let folder: URL

        init() throws {
            folder = try makeTemporaryFolder("roles")
            AtExit.remove(folder.path)
        }

        private func run(
            _ arguments: [String], on owner: String, log: String = "postgres"
        ) async throws -> ProgramRun {
            try await ProgramRun.of(
                Programs.command("whereabouts") + ["database-roles"] + arguments,
                environment: [
                    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
                    "DATABASE_URL": owner, "WHEREABOUTS_LOG": log,
                ])
        }

        private func psql(_ url: String, _ statement: String) async throws -> ProgramRun {
            try await ProgramRun.of([
                "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", statement,
            ])
        }

        /// As words of the folder's files, each by its path.
        private func files(_ name: String) throws -> [String: String] {
            let folder = folder.appending(path: name)
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return Dictionary(
                uniqueKeysWithValues: paths.compactMap { path in
                    (try? String(contentsOf: folder.appending(path: path), encoding: .utf8))
                        .map { (path, $0) }
                })
        }

        private static let secrets = """
            SELECT string_agg(rolname || coalesce(rolpassword, ''), ' ' ORDER BY rolname),
                (SELECT count(*) FROM pg_auth_members) FROM pg_authid
            """

        @Test(
            "A second installation on the server changes nothing of the first, unless it is told to"
        )
        func secondInstallation() async throws {
            let server = try PrivatePostgres()
            defer { server.stop() }
            let first = try await server.makeDatabase().connectionString
            let second = try await server.makeDatabase().connectionString
            let mine = folder.appending(path: "first").path
            let other = folder.appending(path: "second").path
            _ = try await run(["--directory", mine, "serve", "locator"], on: first).successful()
            let before = try await psql(first, Self.secrets).output
            for service in ["serve", "router"] {
                let refused = try await run(
                    ["--directory", other, service], on: second, log: "kafka")
                #expect(refused.status == 1)
                for word in [
                    "whereabouts_locator, whereabouts_serve:", "--directory", "--new-passwords",
                ] {
                    #expect(refused.errors.contains(word), "\(refused.errors)")
                }
                #expect(refused.errors.split(separator: "\n").count == 1)
            }
            #expect(try await psql(first, Self.secrets).output == before)
            #expect(!FileManager.default.fileExists(atPath: other))
            // Another service of the same installation is nothing strange.
            _ = try await run(["--directory", mine, "site-editor"], on: first).successful()
            _ = try await run(
                ["--directory", other, "--new-passwords", "serve"], on: second
            ).successful()
            // From then on that one is the installation, and the other roles wait for their turn.
            _ = try await run(["--directory", other, "serve", "locator"], on: second).successful()
            #expect(try await psql(first, Self.secrets).output != before)
            #expect(try files("second")["serve/password"] != files("first")["serve/password"])
        }

        @Test("A server that is not there leaves the files as they were, and makes none")
        func unreachable() async throws {
            let server = try PrivatePostgres()
            defer { server.stop() }
            let owner = try await server.makeDatabase().connectionString
            let mine = folder.appending(path: "first").path
            _ = try await run(["--directory", mine, "serve"], on: owner).successful()
            let before = try files("first")
            // Nobody has this name, which is no fault that passes by itself.
            let nobody = owner.replacing("user=postgres", with: "user=nobody")
            for service in ["serve", "locator"] {
                let failed = try await run(["--directory", mine, service], on: nobody)
                #expect(failed.status == 1, "\(failed)")
            }
            #expect(try files("first") == before)
        }

        @Test("A directory in a folder that is not there is refused, and none is made")
        func missingParent() async throws {
            let path = folder.appending(path: "no/such").path
            let failed = try await run(["--directory", path, "serve"], on: "host=/nowhere")
            #expect(failed.status == 1)
            #expect(failed.errors.contains("there is no folder \(folder.path)/no"), "\(failed)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }

        @Test(
            "A log that there is none of is refused, by the variable's name",
            arguments: ["nope", "Kafka"])
        func wrongLog(log: String) async throws {
            let failed = try await run(
                ["--directory", folder.path, "serve"], on: "host=/nowhere", log: log)
            #expect(failed.status == 78)
            #expect(failed.errors.contains("WHEREABOUTS_LOG"), "\(failed)")
        }

        @Test("An owner needs the right to make roles, and no more; without it he is told so")
        func plainOwner() async throws {
            let server = try PrivatePostgres()
            defer { server.stop() }
            let superuser = server.connectionString()
            let made = try await psql(superuser, "CREATE ROLE keeper LOGIN")
            #expect(made.status == 0, "\(made)")
            _ = try await psql(superuser, "CREATE DATABASE kept OWNER keeper")
            let keeper = server.connectionString(database: "kept")
                .replacing("user=postgres", with: "user=keeper")
            let arguments = ["--directory", folder.path, "serve", "locator"]
            let refused = try await run(arguments, on: keeper)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("ALTER ROLE … CREATEROLE"), "\(refused)")
            _ = try await psql(superuser, "ALTER ROLE keeper CREATEROLE")
            for log in ["postgres", "postgres", "kafka"] {
                _ = try await run(arguments, on: keeper, log: log).successful()
            }
            // He has left what he joined.
            let left = try await psql(
                keeper, "SELECT pg_has_role('keeper', 'whereabouts_locator', 'USAGE')")
            #expect(left.lines == ["f"], "\(left)")
            let locator = try String(
                contentsOf: folder.appending(path: "locator/url"), encoding: .utf8)
            let allowed = try await psql(locator, "CREATE TABLE locator.positions ()")
            #expect(allowed.status == 0, "\(allowed)")
            // What a service has made does not keep the owner from running it again.
            _ = try await run(arguments, on: keeper, log: "postgres").successful()
        }
    }
}

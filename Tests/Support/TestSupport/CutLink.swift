import Foundation
public import Postgres

/// A PostgreSQL server in a network of its own, behind a link that can be cut without a word to
/// either side; its Unix socket stays within reach.
public final class CutLink: Sendable {
    /// Why there is none here; nil where there is.
    public static let obstacle: String? = {
        if let obstacle = PrivatePostgres.obstacle { return obstacle }
        guard getuid() == 0 else { return "only root may make a network" }
        do {
            let link = try CutLink()
            link.remove()
            return nil
        } catch { return "networks can't be made here (\(error))" }
    }()

    private let name: String
    private let ours: String
    private let address: String

    public init() throws {
        let number = Int.random(in: 1..<250)
        let part = Int.random(in: 1..<250)
        name = "wb\(number)x\(part)"
        ours = "\(name)a"
        let network = "10.\(number).\(part)"
        address = "\(network).2"
        try runProgram(["ip", "netns", "add", name])
        do {
            try runProgram([
                "ip", "link", "add", ours, "type", "veth", "peer", "name", "\(name)b", "netns",
                name,
            ])
            try runProgram(["ip", "addr", "add", "\(network).1/24", "dev", ours])
            try runProgram(["ip", "link", "set", ours, "up"])
            let within = ["ip", "netns", "exec", name, "ip"]
            try runProgram(within + ["addr", "add", "\(address)/24", "dev", "\(name)b"])
            try runProgram(within + ["link", "set", "\(name)b", "up"])
            try runProgram(within + ["link", "set", "lo", "up"])
        } catch {
            remove()
            throw error
        }
    }

    /// Starts a server that is reached through the link, and through its socket.
    public func startServer() throws -> PrivatePostgres {
        try PrivatePostgres(
            settings: ["listen_addresses=\(address)"], within: ["ip", "netns", "exec", name],
            access: ["host all all \(address)/24 trust"])
    }

    /// How the database is reached through the link.
    public func configuration(_ database: PostgresConfiguration) -> PostgresConfiguration {
        var through = database
        // The last of several words of the same name counts.
        through.connectionString += " host=\(address)"
        return through
    }

    public func cut() throws { try runProgram(["ip", "link", "set", ours, "down"]) }

    public func remove() {
        _ = try? runProgram(["ip", "link", "del", ours])
        _ = try? runProgram(["ip", "netns", "del", name])
    }
}

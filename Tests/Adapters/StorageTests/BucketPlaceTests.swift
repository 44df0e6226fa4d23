import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import Storage

/// An S3 server (moto, from PyPI) that checks signatures. `WHEREABOUTS_MOTO` is the folder of its
/// programs.
private final class MotoServer: Sendable {
    static let programs: String? = {
        let folder = ProcessInfo.processInfo.environment["WHEREABOUTS_MOTO"] ?? ""
        if folder.isEmpty { print("skipped: WHEREABOUTS_MOTO names no S3 server") }
        return folder.isEmpty ? nil : folder
    }()

    /// Makes a user with a key, and a bucket. These four requests need no signature.
    private static let setUp = """
        import boto3, json, sys
        a = dict(endpoint_url=sys.argv[1], region_name='us-east-1', aws_access_key_id='x',
                 aws_secret_access_key='y')
        iam = boto3.client('iam', **a)
        iam.create_user(UserName='w')
        rights = {'Version': '2012-10-17', 'Statement': [
            {'Effect': 'Allow', 'Action': '*', 'Resource': '*'}]}
        iam.put_user_policy(UserName='w', PolicyName='all', PolicyDocument=json.dumps(rights))
        key = iam.create_access_key(UserName='w')['AccessKey']
        boto3.client('s3', **a).create_bucket(Bucket='museum')
        print(key['AccessKeyId'], key['SecretAccessKey'])
        """

    let address: String
    let key: String
    let secret: String
    private let process: ServerProcess

    init(_ programs: String) async throws {
        let port = Int.random(in: 20_000..<30_000)
        address = "http://127.0.0.1:\(port)"
        process = try ServerProcess(
            ["\(programs)/moto_server", "-H", "127.0.0.1", "-p", "\(port)"],
            logPath: "/dev/null",
            environment: ProcessInfo.processInfo.environment.merging(
                ["INITIAL_NO_AUTH_ACTION_COUNT": "4"]) { $1 })
        let client = HTTPClient()
        let deadline = ContinuousClock.now + .seconds(60)
        // Its own page is no action, so it can be asked while the server starts.
        while (try? await client.send("GET", "\(address)/moto-api/"))?.status != 200 {
            guard ContinuousClock.now < deadline else {
                throw TestServerError("moto did not start")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        let words = try runProgram(["\(programs)/python", "-c", Self.setUp, address])
            .split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count == 2 else { throw TestServerError("moto made no key") }
        (key, secret) = (words[0], words[1])
    }

    func place(_ prefix: String, secret: String? = nil, bucket: String = "museum") -> BucketPlace {
        var limits = HTTPClient.Configuration()
        limits.maximumResponseBytes = StoredFile.mostBytes
        return BucketPlace(
            endpoint: address, bucket: bucket, prefix: prefix,
            signing: RequestSigning(
                key: key, secret: secret ?? self.secret, region: "us-east-1", service: "s3"),
            client: HTTPClient(limits))
    }

    func stop() { process.end(with: SIGTERM) }
}

@Suite("A bucket", .enabled(if: MotoServer.programs != nil, "WHEREABOUTS_MOTO names no S3 server"))
struct BucketPlaceTests {
    @Test("keeps files under its prefix, and takes signed requests only")
    func files() async throws {
        let server = try await MotoServer(try #require(MotoServer.programs))
        defer { server.stop() }
        let place = server.place("backups/one")
        #expect(try await place.list("").isEmpty)
        #expect(try await place.read("a/b") == nil)
        let large = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await place.write("2026-11-24T030000Z/topics/whereabouts.scans-0001.zst", large)
        try await place.write("erasures/begun", [])
        try await place.write("last-backup.json", Array("{}".utf8))
        try await place.write("last-backup.json", Array("{1}".utf8))
        let listed = try await place.list("")
        #expect(
            listed.map(\.name) == [
                "2026-11-24T030000Z/topics/whereabouts.scans-0001.zst", "erasures/begun",
                "last-backup.json",
            ])
        #expect(listed.map(\.bytes) == [9_000_000, 0, 3])
        #expect(try await place.list("erasures/").map(\.name) == ["erasures/begun"])
        #expect(try await place.read(listed[0].name) == large)
        #expect(try await place.read("erasures/begun") == [])
        #expect(try await server.place("backups/two").list("").isEmpty)
        try await place.delete("last-backup.json")
        try await place.delete("last-backup.json")
        #expect(try await place.list("l").isEmpty)
        let stranger = server.place("backups/one", secret: "wrong")
        await #expect(throws: StorageError.self) { try await stranger.list("") }
        await #expect(throws: StorageError.self) { try await stranger.write("x", [1]) }
        await #expect(throws: StorageError.self) { try await stranger.read("erasures/begun") }
        await #expect(throws: StorageError.self) {
            try await server.place("", bucket: "nobodys").write("x", [1])
        }
    }

    @Test("lists more files than one answer has")
    func pages() async throws {
        let server = try await MotoServer(try #require(MotoServer.programs))
        defer { server.stop() }
        let place = server.place("")
        try await withThrowingTaskGroup { group in
            for number in 0..<1_010 {
                group.addTask { try await place.write("erasures/\(number)", [1]) }
            }
            try await group.waitForAll()
        }
        #expect(try await place.list("erasures/").count == 1_010)
        try await place.write("last-backup.json", [1])
        try await place.write("2026-11-24T030000Z/topics/a", [1])
        #expect(try await place.folders() == ["2026-11-24T030000Z", "erasures"])
        let within = server.place("erasures")
        #expect(try await within.folders().isEmpty)
    }
}

@Suite("A list of a bucket") struct BucketListTests {
    private static func answer(_ end: String) -> [UInt8] {
        Array(
            """
            <ListBucketResult><Contents><Key>a</Key><Size>3</Size></Contents>\(end)\
            </ListBucketResult>
            """.utf8)
    }

    @Test("that is cut has a token for the rest, or is refused")
    func cut() throws {
        let whole = try BucketPlace.page(Self.answer("<IsTruncated>false</IsTruncated>"), "b")
        #expect(whole.files == [StoredFile(name: "a", bytes: 3)] && whole.next == nil)
        let token = "<NextContinuationToken>t</NextContinuationToken>"
        let more = try BucketPlace.page(
            Self.answer("<IsTruncated>true</IsTruncated>" + token), "b")
        #expect(more.next == "t")
        #expect(throws: StorageError.self) {
            try BucketPlace.page(Self.answer("<IsTruncated>true</IsTruncated>"), "b")
        }
    }

    @Test("has what the server put together as files without bytes")
    func together() throws {
        let folder = "<CommonPrefixes><Prefix>erasures/</Prefix></CommonPrefixes>"
        let page = try BucketPlace.page(Self.answer("<Prefix></Prefix>" + folder), "b")
        #expect(
            page.files == [
                StoredFile(name: "a", bytes: 3), StoredFile(name: "erasures/", bytes: 0),
            ])
    }

    @Test("is all of its pages, and is refused where it does not end")
    func pages() async throws {
        func files(_ count: Int) -> [StoredFile] {
            (0..<count).map { StoredFile(name: "\($0)", bytes: 1) }
        }
        let whole = try await BucketPlace.allPages(of: "b") { (token) throws(StorageError) in
            (files(2), token == nil ? "t" : nil)
        }
        #expect(whole == files(2) + files(2))
        var count = 0
        await #expect(throws: StorageError.self) {
            try await BucketPlace.allPages(of: "b") { (_) throws(StorageError) in
                count += 1
                return (files(2), "the same")
            }
        }
        #expect(count == 2)
        for length in [0, 1_000] {
            count = 0
            let page = files(length)
            await #expect(throws: StorageError.self) {
                try await BucketPlace.allPages(of: "b") { (_) throws(StorageError) in
                    count += 1
                    return (page, "\(count)")
                }
            }
            #expect(count <= 10_000)
        }
    }

    @Test("or another answer is shown in some words, however many the server has sent")
    func words() {
        let message = String(repeating: "no ", count: 100_000)
        let body = "<Error><Code>Denied</Code><Message>\(message)</Message></Error>"
        let answer = HTTPClientResponse(status: 403, headers: [:], body: Array(body.utf8))
        let reason = BucketPlace.fault(answer, "b").reason
        #expect(reason.contains("403 Denied: no no") && reason.count < 400)
    }
}

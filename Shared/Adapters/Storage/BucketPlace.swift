import Cryptography
public import HTTPClient
import XML

/// Files in a bucket of an S3 server, under a prefix. libcurl signs the requests.
public struct BucketPlace: StoragePlace {
    /// The most files of a list, which is in memory, and the most answers that it comes in.
    private static let most = (files: 1_000_000, pages: 10_000)
    /// The most scalars of an answer that an error shows.
    private static let mostScalars = 300
    private static let attempts = 4
    private static let timeoutSeconds = 300.0

    /// The address of the bucket, without a slash at the end.
    private let address: String
    /// Empty, or with a slash at its end.
    private let prefix: String
    private let signing: RequestSigning
    private let client: HTTPClient

    public var name: String { "\(address)/\(prefix)" }

    /// - Parameters:
    ///   - endpoint: the server's address, such as `https://s3.eu-west-2.amazonaws.com`.
    ///   - client: allows answers of `StoredFile.mostBytes`.
    public init(
        endpoint: String, bucket: String, prefix: String, signing: RequestSigning,
        client: HTTPClient
    ) {
        address = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/\(bucket)"
        let trimmed = prefix.split(separator: "/").joined(separator: "/")
        self.prefix = trimmed.isEmpty ? "" : trimmed + "/"
        self.signing = signing
        self.client = client
    }

    public func list(_ prefix: String) async throws(StorageError) -> [StoredFile] {
        try await listed(prefix, delimiter: nil)
    }

    public func folders() async throws(StorageError) -> Set<String> {
        // The server puts all files of a folder together.
        Set(
            try await listed("", delimiter: "/").map(\.name).filter { $0.hasSuffix("/") }
                .map { String($0.dropLast()) })
    }

    /// - Parameter delimiter: files that have it behind the prefix are listed as one. Its name is
    ///   theirs up to there.
    private func listed(
        _ prefix: String, delimiter: String?
    ) async throws(StorageError) -> [StoredFile] {
        let files = try await Self.allPages(of: name) { (token) throws(StorageError) in
            // The names stand in their order, as the signature needs them.
            var query = "list-type=2&prefix=\(Self.encoded(self.prefix + prefix))"
            if let delimiter { query = "delimiter=\(Self.encoded(delimiter))&" + query }
            if let token { query = "continuation-token=\(Self.encoded(token))&" + query }
            let answer = try await send("GET", "\(address)?\(query)", of: name)
            guard answer.status == 200 else { throw Self.fault(answer, name) }
            return try Self.page(answer.body, name)
        }
        return files.compactMap { file in
            guard file.name.hasPrefix(self.prefix) else { return nil }
            return StoredFile(
                name: String(file.name.dropFirst(self.prefix.count)), bytes: file.bytes)
        }.sorted { $0.name < $1.name }
    }

    /// The files of all pages of a list.
    ///
    /// - Parameter page: gets the token of a page, which is nil for the first one.
    /// - Throws: also where the list does not end.
    static func allPages(
        of place: String,
        _ page: (String?) async throws(StorageError) -> (files: [StoredFile], next: String?)
    ) async throws(StorageError) -> [StoredFile] {
        var found: [StoredFile] = []
        var token: String?
        for _ in 0..<most.pages {
            let part = try await page(token)
            found += part.files
            guard found.count <= most.files else {
                throw StorageError(place, "it has more than \(most.files) files")
            }
            guard let next = part.next else { return found }
            guard next != token else { break }
            token = next
        }
        throw StorageError(place, "the S3 server's list does not end")
    }

    public func read(_ file: String, most: Int) async throws(StorageError) -> [UInt8]? {
        let answer = try await send("GET", full(file), of: file)
        if answer.status == 404 { return nil }
        guard answer.status == 200 else { throw Self.fault(answer, file) }
        guard answer.body.count <= most else {
            throw .tooLarge(file, answer.body.count, most: most)
        }
        return answer.body
    }

    public func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError) {
        let answer = try await send("PUT", full(file), bytes, of: file)
        guard answer.status == 200 else { throw Self.fault(answer, file) }
    }

    public func delete(_ file: String) async throws(StorageError) {
        let answer = try await send("DELETE", full(file), of: file)
        guard [200, 204, 404].contains(answer.status) else { throw Self.fault(answer, file) }
    }

    private func full(_ file: String) -> String { "\(address)/\(prefix)\(file)" }

    /// Sends again what may pass; each request can be repeated without harm.
    private func send(
        _ method: String, _ url: String, _ body: [UInt8] = [], of file: String
    ) async throws(StorageError) -> HTTPClientResponse {
        let sum = hexadecimal(sha256(body))
        var attempt = 1
        while true {
            let isLast = attempt == Self.attempts
            do throws(HTTPClientError) {
                let answer = try await client.send(
                    method, url,
                    headers: [
                        ("content-type", "application/octet-stream"), ("x-amz-content-sha256", sum),
                    ], body: body,
                    timeoutSeconds: Self.timeoutSeconds, signing: signing)
                if isLast || !(answer.status == 429 || answer.status >= 500) { return answer }
            } catch {
                guard error.isRetriable, !isLast else {
                    throw StorageError(file, error.description, isRetriable: error.isRetriable)
                }
            }
            try? await Task.sleep(for: .milliseconds(200 << (2 * attempt)))
            attempt += 1
        }
    }

    static func fault(_ answer: HTTPClientResponse, _ file: String) -> StorageError {
        let texts = (try? texts(of: ["Code", "Message"], in: answer.body)) ?? [:]
        let words = ["Code", "Message"].compactMap { texts[$0] }.joined(separator: ": ")
        // A scalar has four bytes at most, and a character any number.
        let shown = String(words.unicodeScalars.prefix(mostScalars))
        return StorageError(
            file, "the S3 server answers \(answer.status) \(shown)",
            isRetriable: answer.status == 429 || answer.status >= 500)
    }

    private static func texts(
        of wanted: Set<String>, in body: [UInt8]
    ) throws(XMLFault) -> [String: String] {
        var open: [String] = []
        var found: [String: String] = [:]
        try XMLReader.read(body) { event in
            switch event {
            case .begin(let name, _): open.append(name.local)
            case .end: open.removeLast()
            case .text(let text):
                if let last = open.last, wanted.contains(last) { found[last, default: ""] += text }
            default: break
            }
            return true
        }
        return found
    }

    /// One page of a list, and the token of the next one. Files that the server put together are
    /// one without bytes.
    static func page(
        _ body: [UInt8], _ place: String
    ) throws(StorageError) -> (files: [StoredFile], next: String?) {
        var open: [String] = []
        var texts: [String: String] = [:]
        var files: [StoredFile] = []
        var isCut = false
        var next: String?
        do throws(XMLFault) {
            try XMLReader.read(body) { event in
                switch event {
                case .begin(let name, _):
                    open.append(name.local)
                    texts[name.local] = ""
                case .text(let text): texts[open.last ?? "", default: ""] += text
                case .end(let name):
                    open.removeLast()
                    switch name.local {
                    case "Contents":
                        if let key = texts["Key"], let size = texts["Size"].flatMap({ Int($0) }) {
                            files.append(StoredFile(name: key, bytes: size))
                        }
                    case "CommonPrefixes":
                        if let folder = texts["Prefix"] {
                            files.append(StoredFile(name: folder, bytes: 0))
                        }
                    case "IsTruncated": isCut = texts["IsTruncated"] == "true"
                    case "NextContinuationToken": next = texts["NextContinuationToken"]
                    default: break
                    }
                default: break
                }
                return true
            }
        } catch {
            throw StorageError(place, "the S3 server's list can't be read: \(error)")
        }
        guard !isCut || next != nil else {
            throw StorageError(place, "the S3 server's list is cut, without a token for the rest")
        }
        return (files, isCut ? next : nil)
    }

    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            let isPlain =
                byte < 128
                && (character.isLetter || character.isNumber || "-._~".contains(character))
            result += isPlain ? String(character) : "%" + hexadecimal([byte]).uppercased()
        }
        return result
    }
}

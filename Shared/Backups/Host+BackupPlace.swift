import HTTPClient
public import ServiceHost
import ServiceRuntime
public import Storage

extension Host {
    /// The place of the backups that the settings name; nil where they name none.
    public func backupPlace() throws -> (any StoragePlace)? {
        guard let text = configuration.optionalText(BackupPlace.variable) else { return nil }
        guard text.hasPrefix("s3://") else { return FolderPlace(path: text) }
        guard let key = configuration.optionalText("WHEREABOUTS_BUCKET_KEY"),
            let secret = configuration.optionalSecret("WHEREABOUTS_BUCKET_SECRET")
        else {
            throw BackupFault(
                "WHEREABOUTS_BACKUPS is a bucket: set WHEREABOUTS_BUCKET_KEY and "
                    + "WHEREABOUTS_BUCKET_SECRET")
        }
        let parts = text.dropFirst("s3://".count).split(separator: "/", maxSplits: 1)
        let region = configuration.text("WHEREABOUTS_BUCKET_REGION")
        var limits = HTTPClient.Configuration.ofServices(configuration)
        limits.maximumResponseBytes = StoredFile.mostBytes
        limits.usesProxy = true
        return BucketPlace(
            endpoint: configuration.optionalText("WHEREABOUTS_BUCKET_ENDPOINT")
                ?? "https://s3.\(region).amazonaws.com",
            bucket: String(parts[0]), prefix: parts.count > 1 ? String(parts[1]) : "",
            signing: RequestSigning(
                key: key, secret: secret.reveal(), region: region, service: "s3"),
            client: HTTPClient(limits))
    }
}

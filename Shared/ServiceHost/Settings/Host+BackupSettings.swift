import ServiceRuntime

/// The setting of the place for backups.
public enum BackupPlace { public static let variable = "WHEREABOUTS_BACKUPS" }

extension Host {
    static let backupSettings = [
        Setting(
            BackupPlace.variable, .checked(backupPlace), .optional,
            help: "where backups and erasures are kept: a folder, or s3://BUCKET/PREFIX"),
        Setting(
            "WHEREABOUTS_BACKUP_HOUR", .integer(0...23), .defaultsTo("3"),
            help: "the hour of the machine's clock at which `whereabouts backup keep` begins"),
        Setting(
            "WHEREABOUTS_BUCKET_ENDPOINT", .url(schemes: ["http", "https"]), .optional,
            help: "the address of the S3 server; without it Amazon's of the region"),
        Setting(
            "WHEREABOUTS_BUCKET_REGION", .text, .defaultsTo("us-east-1"),
            help: "the region of the bucket"),
        Setting(
            "WHEREABOUTS_BUCKET_KEY", .text, .optional, help: "the id of the access key for S3"),
        Setting(
            "WHEREABOUTS_BUCKET_SECRET", .secret, .optional, help: "the secret of that key"),
    ]

    private static let backupPlace = Setting.TextForm("FOLDER|s3://BUCKET/PREFIX") { text in
        if text.hasPrefix("s3://") {
            let form = /s3:\/\/[a-z0-9.-]{3,63}(\/[A-Za-z0-9._-]+)*\/?/
            return text.wholeMatch(of: form) != nil
                ? nil : "must be s3://BUCKET/PREFIX, of letters, digits and . _ -"
        }
        return text.hasPrefix("/") ? nil : "must be a folder with its whole path, or s3://BUCKET"
    }
}

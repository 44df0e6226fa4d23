/// Every way in which Whereabouts says no: statuses, code and what to do about it, one case each.
///
/// A row is `STATUS... CODE: ADVICE`. `letter` means that the code also stands in dead letters,
/// `apply` that `whereabouts dead-letters apply` prints it. Codes are stable: clients, dead letters
/// and dashboards rely on them. docs/errors.md is printed from here by `whereabouts describe
/// errors`.
public enum ProblemCode: ProblemRow, Hashable, Sendable, CaseIterable {
    // MARK: The request

    case pathMalformed = "400 path-malformed: encode the path as UTF-8"
    case queryMalformed = "400 query-malformed: encode the query as UTF-8; at most 64 parameters"
    case headMalformed = """
        400 head-malformed: send one Host, at most one Content-Length, none with \
        Transfer-Encoding, no space before a colon
        """
    case tokenMissing = """
        401 letter token-missing: send `Authorization: Bearer <token>`; sign a record of the log \
        ([kafka.md](kafka.md))
        """
    case tokenWrong = """
        401 letter token-wrong: the token is unknown, revoked or expired: ask for a new one
        """
    case sessionWrong = "401 session-wrong: the session is over or was ended: sign in again"
    case sessionMissing = "401 session-missing: sign in first: this is about one's own account"
    case changeTokenWrong = """
        403 change-token-wrong: send the session's `changeToken` as `x-change-token` with each \
        change
        """
    case signatureWrong = """
        401 letter signature-wrong: sign topic, key, value and time of the record with the key of \
        the token ([kafka.md](kafka.md))
        """
    case signatureStale = """
        401 letter signature-stale: sign a record when it is sent, and set the clock. With \
        `wasPutBack` it was put back under another `WHEREABOUTS_SERVICE_SECRET` than the \
        services': apply the letter by its id under theirs
        """
    case roleNotAllowed = "403 role-not-allowed: use a token of another role"
    case siteNotYours = "403 letter site-not-yours: the token is for another site"
    case buildingNotYours = """
        403 letter building-not-yours: the token is for other buildings of the site
        """
    case beyondYourGrants = """
        403 beyond-your-grants: nobody issues more than they have: name your site, a lower role
        """
    case expiryBeyondYours = "403 expiry-beyond-yours: a token can't outlast the one that issues it"
    case surveyNotYours = """
        403 survey-not-yours: withdraw your own surveys; a site's editor withdraws any
        """
    case deviceNotYours = "403 letter device-not-yours: the token is for another device"
    case scannerNotYours = """
        403 letter scanner-not-yours: a device's token speaks for its own scanner
        """
    case notFound = "404 not-found: check the path"
    case methodNotAllowed = "405 method-not-allowed: use a method that the Allow header names"
    case notAcceptable = "406 not-acceptable: accept one of the types that `detail` names"
    case requestTimeout = "408 request-timeout: send it faster (`WHEREABOUTS_REQUEST_TIMEOUT`)"
    case bodyTooLarge = """
        413 body-too-large: send less at once: 4 MiB of scans, 7.5 MB of a site, 1 MB of a \
        magnetic walk, 64 KiB elsewhere
        """
    case targetTooLong = "414 target-too-long: a path with its query has at most 6,000 bytes"
    case contentEncodingUnsupported = "415 content-encoding-unsupported: send the body unpacked"
    case recordTooLarge = "413 record-too-large: a scan is larger than the log takes: about 1 MB"
    case notStorable = "422 letter not-storable: leave out U+0000, which PostgreSQL can't store"
    case siteDocumentTooLarge = """
        422 site-document-too-large: a published site has at most 8 MB: split it or shorten its \
        contents
        """
    case eventTooLarge = """
        422 event-too-large: the event is larger than the log takes, about 1 MB: shorten it
        """
    case outputTooLarge = """
        letter output-too-large: the result of the record was larger than the log takes
        """
    case tooManyRequests = """
        429 too-many-requests: obey Retry-After (`WHEREABOUTS_REQUESTS_PER_SECOND`)
        """
    case tooManyUnfinished = """
        429 too-many-unfinished: send fewer bodies at once (`WHEREABOUTS_UNFINISHED_PER_ADDRESS`)
        """
    case quotaExceeded = """
        429 letter quota-exceeded: obey Retry-After; `GET /v1/limits` tells the quota of your \
        token
        """
    case bodiesFull = "503 bodies-full: send again; `WHEREABOUTS_BODY_MEMORY` is used up"
    case senderBlocked = """
        429 letter sender-blocked: more than 100 records of this token were set aside within an \
        hour: mend what the dead letters say, then wait until the time in `detail`. Putting a \
        sender's junk back sets it aside again, which counts and prolongs the block
        """
    case internalError = "500 internal: the operator reads the log of the service"
    case starting = "503 starting: send again"
    case stopping = "503 stopping: send again"
    case logBehind = "503 log-behind: send again; if it lasts, the log is too slow for the load"
    case logUnreachable = "503 log-unreachable: send again; the operator checks Kafka or PostgreSQL"
    case databaseUnreachable = """
        503 database-unreachable: send again; the operator checks PostgreSQL
        """
    case storageFull = """
        503 storage-full: send again later; the operator frees disk space of PostgreSQL
        """
    case outcomeUnknown = """
        503 outcome-unknown: send again with the same ids; duplicates are dropped
        """
    case tooManyStreamsOfToken = """
        429 too-many-streams-of-token: end some streams (`WHEREABOUTS_STREAMS_OF_ONE`)
        """
    case tooManyAtOnce = """
        429 too-many-at-once: too many costly requests: send again after Retry-After
        """
    case viewStopped = """
        503 view-stopped: these rows are no longer updated: the operator reads the log of the \
        service, mends what it says, and rebuilds the view or starts the service again
        """
    case tooManyStreams = "503 too-many-streams: come back later (`WHEREABOUTS_STREAMS`)"

    // MARK: The body

    case bodyEmpty = "400 body-empty: send something: an object, an array or lines"
    case notJSON = "400 not-json: repair the JSON; `detail` names the byte"
    case notUTF8 = "400 not-utf8: encode the body as UTF-8"
    case tooDeep = "400 too-deep: nest less"
    case truncated = "400 truncated: the JSON ends too early: send it whole"
    case textMalformed = "400 text-malformed: leave U+0000 out of the text that `detail` names"
    case numberOutOfRange = """
        400 number-out-of-range: keep within 64 bits and the range that `detail` gives
        """
    case batchTooLarge = "413 batch-too-large: at most 1,000 scans in one request"
    case nothingHeard = """
        400 nothing-heard: a scan has readings (`wifi`, `ble`, `heardBy`), steps, a magnetic \
        field, `gnss` or a heading
        """
    case notAnObject = "400 not-an-object: a scan, survey or document is a JSON object"
    case fieldMissing = "400 field-missing: add the field that `detail` names"
    case fieldWrongType = "400 field-wrong-type: change the type of the field that `detail` names"
    case fieldOutOfRange = """
        400 field-out-of-range: change the value of the field that `detail` names
        """
    case fieldUnknown = """
        400 field-unknown: correct the member that `detail` names; no misspelling where rights \
        are given
        """
    case textTooLong = "400 text-too-long: shorten the text that `detail` names"
    case tooManyReadings = "400 too-many-readings: at most 1,000 readings of a kind in one scan"
    case idMalformed = "400 id-malformed: an event's id is a UUID"
    case siteMalformed = "400 site-malformed: `[A-Za-z0-9._-]`, 1 to 64 characters"
    case deviceMalformed = "400 device-malformed: the same"
    case scannerMalformed = "400 scanner-malformed: the same"
    case identifierMalformed = "400 identifier-malformed: the same"
    case timeMalformed = "400 time-malformed: RFC 3339, such as `2026-11-21T08:00:00.000Z`"
    case timeOutOfRange = """
        400 time-out-of-range: set the clock: before the year 2000, or over an hour ahead even \
        with `sentAt`
        """
    case rssiOutOfRange = "400 rssi-out-of-range: -120 to 0 dBm"
    case bssidMalformed = "400 bssid-malformed: six bytes in hex, such as `00:62:ec:fd:ec:50`"
    case addressMalformed = "400 address-malformed: the same, for Bluetooth"
    case uuidMalformed = "400 uuid-malformed: a beacon's UUID"
    case ssidTooLong = "400 ssid-too-long: at most 32 characters"
    case placeMissing = "400 place-missing: a survey needs `place`"
    case placeMalformed = """
        400 place-malformed: `{"location"}`, `{"floor", "x", "y"}` or `{"floor", "latitude", \
        "longitude"}`
        """
    case coordinatesOutOfRange = """
        400 422 coordinates-out-of-range: send degrees on the globe, or metres within the site
        """

    // MARK: Names in the request

    case siteMissing = """
        400 422 letter site-missing: name the site: in the scan, by `?site=` or by a token that \
        has one
        """
    case siteUnknown = "404 letter site-unknown: publish the site first: `PUT /v1/sites/{site}`"
    case testersSite = """
        403 letter testers-site: send it for the site whose draft testers see: `museum` for \
        `museum.test`
        """
    case authorMissing = """
        400 author-missing: name the author: `?author=`, the id of a token or an account
        """
    case childrenMalformed = "400 children-malformed: `children` is `true` or `false`"
    case decisionMalformed = "400 decision-malformed: `decision` is `accept` or `reject`"
    case surveyUnknown = "404 survey-unknown: the site has no such survey, or it was not kept aside"
    case expiryPast = "422 expiry-past: `expiresAt` lies in the past"
    case expiryTooLate = """
        422 expiry-too-late: a token of this role is valid for less long; see `detail`
        """
    case keyMalformed = "422 key-malformed: `signingKey` is 32 bytes in hex"
    case surveysOutOfRange = "422 surveys-out-of-range: a decision is about 1 to 1,000 surveys"
    case tooManyBuildings = "422 too-many-buildings: a token names at most 100 buildings"
    case deviceMissing = """
        400 422 letter device-missing: name the device; a device's token needs site and device
        """
    case scannerUnknown = """
        404 letter scanner-unknown: issue a token to the scanner before a surveyor sends for it
        """
    case locationUnknown = "422 letter location-unknown: the site has no such location"
    case floorUnknown = """
        422 404 letter floor-unknown: name a floor of the site (404 where the path names it)
        """
    case idConflict = "409 letter id-conflict: the id was used for another scan: use a new one"
    case thingUnknown = """
        404 thing-unknown: the site has no such record; if your draft is old, read it again
        """
    case stillNamed = "409 still-named: change or remove the `dependents`, or send `?cascade=true`"
    case ifMatchMissing = "428 if-match-missing: read what you change and send its ETag as If-Match"
    case nothingToUndo = """
        409 nothing-to-undo: restore a version: `POST \
        /v1/sites/{site}/versions/{version}/restore`
        """
    case notClearable = "422 not-clearable: clear a room, a location or a floor"
    case notLinkable = "422 not-linkable: link two different locations of one floor"
    case versionMalformed = "400 version-malformed: `published`, `test`, `draft` or a number"
    case versionUnknown = "404 version-unknown: list the versions: `GET /v1/sites/{site}/versions`"
    case testVersionMissing = """
        404 test-version-missing: publish to testers first: `{"audience": "test"}`
        """
    case coordinatesUnknown = "400 coordinates-unknown: `metres` or `wgs84`"
    case flagMalformed = "400 flag-malformed: `true` or `false`"
    case formatUnknown = "400 format-unknown: say one of the formats that `detail` lists"
    case importRefused = "422 import-refused: mend the file as `detail` says; nothing was imported"
    case siteInvalid = "422 site-invalid: repair the faults that `detail` lists"
    case etagMalformed = "400 etag-malformed: send back the ETag as it was read, with its quotes"
    case versionMovedOn = """
        412 version-moved-on: read the site or its draft again, repeat the change and send the \
        new ETag
        """
    case tokenUnknown = "404 token-unknown: there is no such token that still holds"
    case noteTooLong = "422 note-too-long: at most 500 bytes"
    case radioMapUnknown = "404 radio-map-unknown: take the hash from `/v1/sites/{site}/radio-map`"
    case magneticRouteUnknown = """
        404 magnetic-route-unknown: record the route first: `POST /v1/magnetic-routes`; it may be \
        deleted
        """
    case magneticRouteChanged = """
        409 magnetic-route-changed: someone else changed the route: send it again
        """
    case profileUnknown = "400 profile-unknown: take one of the profiles that `detail` names"
    case avoidUnknown = "400 avoid-unknown: take the words that `detail` names"
    case startAmbiguous = "422 start-ambiguous: begin at one room, location, position or point"
    case tooManyDestinations = """
        422 too-many-destinations: name fewer places; a floor or department counts all of its own
        """
    case routeMalformed = "400 route-malformed: change what `detail` names"
    case placeUnknown = "404 place-unknown: name a place of the published site"
    case positionNotYours = """
        403 position-not-yours: use a token that may see it, or name another place
        """
    case positionLost = "409 position-lost: locate again, or name another place"
    case confirmationMissing = "422 confirmation-missing: say `?confirm=` with the site's id"
    case timeZoneUnknown = "422 time-zone-unknown: name an IANA time zone, such as Europe/London"
    case positionTooOld = """
        409 position-too-old: locate again, allow an older one or name another place
        """
    case locatorUnreachable = "503 locator-unreachable: try again after Retry-After"
    case siteTooLarge = """
        503 site-too-large: the site has too many ways: the operator reads the router's log
        """
    case connectionUnknown = "422 connection-unknown: name a connection of the published site"
    case mediaTypeUnknown = """
        415 media-type-unknown: PNG, JPEG, WebP, SVG, PDF, MP3, Ogg, MP4 or WebM
        """
    case mediaTypeDiffers = "415 media-type-differs: send the Content-Type of the bytes, or none"
    case mediaTooLarge = "413 media-too-large: make the file smaller: `detail` gives the limit"
    case mediaUnknown = "404 422 media-unknown: keep the file first: `POST /v1/media`"
    case planSizeDiffers = """
        422 plan-size-differs: give the size in pixels that `POST /v1/media` answered for the \
        picture
        """
    case mediaNotPaged = "422 media-not-paged: only a PDF has pages; use other pictures as they are"
    case drawingNotPassive = """
        422 drawing-not-passive: remove the part that `detail` names: a script, a handler, a link \
        to elsewhere, an entity, or an element or attribute that SVG doesn't have
        """
    case pictureUnreadable = """
        422 picture-unreadable: save the picture again: its size is missing or too large
        """
    case pageUnreadable = """
        422 page-unreadable: check that the PDF has the page; ask for fewer dots an inch
        """
    case rangeUnsatisfiable = """
        416 range-unsatisfiable: ask for bytes within the file: see `Content-Range`
        """
    case zoneUnknown = """
        404 zone-unknown: use the id of a zone, room or building of the published site
        """
    case outageTextUnusable = """
        422 outage-text-unusable: shorten the text of `detail`; no control characters
        """
    case outageTimesSwapped = "422 outage-times-swapped: `until` comes after `from`"
    case outageIdConflict = """
        409 outage-id-conflict: the id is of another outage: send it with a new one
        """
    case outageUnknown = "404 outage-unknown: nothing to do: there is no such outage, or it is over"
    case tooManyOutages = """
        422 too-many-outages: end outages that are over: a site may have 10,000 open
        """
    case activeMalformed = "400 active-malformed: `active` is `true` or `false`"
    case magneticWalkUnusable = """
        422 magnetic-walk-unusable: walk again as `detail` says: more samples, no gap, a line \
        that fits
        """
    case accessPointMissing = "400 access-point-missing: send `?accessPoint=wifi/00:62:ec:fd:ec:50`"
    case countOutOfRange = "400 count-out-of-range: 1 to 50"
    case limitOutOfRange = "400 limit-out-of-range: 1 to 10,000; fingerprints 1,000; search 100"
    case queryMissing = "400 query-missing: say what to look for: `?q=`"
    case queryTooLong = "400 query-too-long: ask with 200 characters at most"
    case languageMalformed = "400 language-malformed: a BCP 47 tag such as `cy` or `de-CH`"
    case cursorMalformed = "400 cursor-malformed: send the cursor as the page before gave it"
    case positionUnknown = "404 position-unknown: there is no position of this id, or not any more"
    case scanGone = "410 scan-gone: older than the log keeps scans (`WHEREABOUTS_RETENTION_SCANS`)"
    case radioMapMissing = """
        409 503 radio-map-missing: survey the site, or wait for the locator (503) to load it
        """
    case eventIdMalformed = "400 event-id-malformed: send `Last-Event-ID` as the stream gave it"

    // MARK: Records of the log alone

    case valueMissing = "letter value-missing: a record of this topic needs a value"
    case headersMissing = """
        letter headers-missing: send the CloudEvents headers `ce_specversion`, `ce_id`, \
        `ce_source`, `ce_type`
        """
    case headerMalformed = "letter header-malformed: repair the header that `detail` names"
    case typeUnknown = "letter type-unknown: send a type of [asyncapi.json](asyncapi.json)"
    case typeUnexpected = "letter type-unexpected: the event belongs to another topic"
    case versionTooNew = """
        letter version-too-new: update this program; `whereabouts dead-letters apply`
        """
    case consumerWrong = """
        apply consumer-wrong: the letter's consumer does not read its topic: see who wrote it
        """
    case letterWrong = "apply letter-wrong: the log has no such record: see who wrote the letter"
    case recordGone = """
        apply record-gone: the log dropped the record: `show` the letter, apply it by its id
        """
    case secretMissing = """
        apply secret-missing: set `WHEREABOUTS_SERVICE_SECRET` as the services have it; `serve` \
        in one process needs it too ([kafka.md](kafka.md#what-was-set-aside))
        """
    case putBackFailed = "apply put-back-failed: see `detail`; the others were tried all the same"

    // MARK: People

    case signInWrong = "401 sign-in-wrong: the sign-in or the password is wrong"
    case signInSlowed = "429 sign-in-slowed: too many tries from this address: obey Retry-After"
    case signInElsewhere = "403 sign-in-elsewhere: sign in on this site's own page"
    case signInBusy = "503 sign-in-busy: many people sign in just now: send again"
    case signInTaken = "409 sign-in-taken: choose another sign-in"
    case signInUnknown = "400 sign-in-unknown: begin again at the provider, in the same browser"
    case signInRefused = "403 sign-in-refused: the provider refused; the service's log says why"
    case noProvider = "404 no-provider: no OpenID provider is set: sign in by password"
    case providerUnreachable = "503 provider-unreachable: the provider does not answer: try again"
    case noRole = "403 no-role: see `WHEREABOUTS_SIGN_IN_GROUPS`: no group of theirs has a role"
    case proxyNotTrusted = """
        403 proxy-not-trusted: list the address in `WHEREABOUTS_SIGN_IN_PROXIES`
        """
    case proxyNamesNobody = "401 proxy-names-nobody: the proxy has to send `Remote-User`"
    case nameUnusable = "422 name-unusable: a name is not empty and has no control characters"
    case passwordUnusable = "422 password-unusable: `detail` says what is asked of a password"
    case noPassword = "409 no-password: a provider signs this person in: change the password there"
    case invitationUnusable = """
        404 invitation-unusable: the link was used or has expired: ask for a new one
        """
    case invitationUnknown = "404 invitation-unknown: no such invitation is open"
    case grantsMissing = "422 grants-missing: an invitation grants at least one role"
    case grantBeyondOwn = "403 grant-beyond-own: grant roles only where you administrate"
    case accountUnknown = "404 account-unknown: check the id"
    case accountNotYours = """
        403 account-not-yours: they have roles elsewhere: ask an administrator of all sites
        """
    case lastAdministrator = "409 last-administrator: make another administrator first"
    case tooManyAccounts = "422 too-many-accounts: end some first"
    case tooManyInvitations = "422 too-many-invitations: withdraw some, or wait for them to end"
}

/// The table of problems: a case for each, with its statuses, code and advice. A row is
/// `STATUS... CODE: ADVICE`. `letter` means that the code also stands in dead letters; `apply`
/// means that `whereabouts dead-letters apply` prints it. Codes are stable, since clients and
/// dashboards rely on them. `whereabouts describe errors` prints docs/errors.md from here.
public enum ProblemCode: ProblemRow, Hashable, Sendable, CaseIterable {
    // MARK: The request

    case pathMalformed = "400 path-malformed: encode the path as UTF-8"
    case countsAreOfAll = "400 counts-are-of-all: ask for whole quarters of an hour of all devices"
    case queryMalformed = "400 query-malformed: encode it as UTF-8; up to 64 parameters, each once"
    case headMalformed = "400 head-malformed: send one Host, one length or none, no space before :"
    case tokenMissing = """
        401 letter token-missing: sign in, begin a visitor's session, or send `Authorization: \
        Bearer <token>`; sign a record of the log ([kafka.md](kafka.md))
        """
    case tokenWrong = "401 letter token-wrong: get a new token: it is unknown, revoked or expired"
    case sessionWrong = "401 session-wrong: sign in again: the session has expired or was ended"
    case sessionMissing = "401 session-missing: sign in first: this route concerns your own account"
    case changeTokenWrong = """
        403 change-token-wrong: send the session's `changeToken` as `x-change-token` with each \
        POST, PUT, PATCH and DELETE
        """
    case signatureWrong = """
        401 letter signature-wrong: sign topic, key, value and time of the record with the key of \
        the token ([kafka.md](kafka.md))
        """
    case signatureStale = """
        401 letter signature-stale: sign each record when it is sent, and set the sender's clock. \
        With `wasPutBack` the record was put back with another `WHEREABOUTS_SERVICE_SECRET`: \
        apply the letter by its id with the secret of the services
        """
    case roleNotAllowed = "403 role-not-allowed: sign in, or use a token, with a role that may"
    case siteNotYours = "403 letter site-not-yours: use a token of that site, or sign in"
    case buildingNotYours = "403 letter building-not-yours: ask an administrator of the site"
    case beyondYourGrants = """
        403 beyond-your-grants: name your own site and a role no higher than yours: nobody can \
        grant more than they have
        """
    case expiryBeyondYours = "403 expiry-beyond-yours: choose an end no later than your own token's"
    case surveyNotYours = "403 survey-not-yours: withdraw your own surveys only, or ask an editor"
    case deviceNotYours = "403 letter device-not-yours: use a token that covers this device"
    case scannerNotYours = "403 letter scanner-not-yours: use the token of that scanner"
    case notFound = "404 not-found: check the path"
    case methodNotAllowed = "405 method-not-allowed: use a method that the Allow header names"
    case notAcceptable = "406 not-acceptable: send an Accept with a type that `detail` names"
    case requestTimeout = "408 request-timeout: send faster, or raise `WHEREABOUTS_REQUEST_TIMEOUT`"
    case bodyTooLarge = """
        413 body-too-large: send less at once: 4 MiB of scans, 32 MB of a site, and elsewhere as \
        much as `detail` says
        """
    case targetTooLong = "414 target-too-long: shorten path and query to 6,000 bytes"
    case contentEncodingUnsupported = "415 content-encoding-unsupported: send the body uncompressed"
    case recordTooLarge = "413 record-too-large: shorten the scan: the log accepts about 1 MB"
    case notStorable = "422 letter not-storable: leave out U+0000, which PostgreSQL can't store"
    case siteDocumentTooLarge = """
        422 site-document-too-large: split the site or shorten its contents: a published site has \
        at most 32 MB
        """
    case eventTooLarge = "422 event-too-large: shorten the request: the log accepts about 1 MB"
    case outputTooLarge = "letter output-too-large: send a smaller record: its result was too large"
    case tooManyRequests = """
        429 too-many-requests: wait for the time in Retry-After \
        (`WHEREABOUTS_REQUESTS_PER_SECOND`)
        """
    case tooManyUnfinished = """
        429 too-many-unfinished: send fewer bodies at once (`WHEREABOUTS_UNFINISHED_PER_ADDRESS`)
        """
    case quotaExceeded = """
        429 letter quota-exceeded: wait for the time in Retry-After; `GET /v1/limits` shows the \
        quota of your token
        """
    case bodiesFull = "503 bodies-full: send again later: `WHEREABOUTS_BODY_MEMORY` is used up"
    case senderBlocked = """
        429 letter sender-blocked: repair the sender as the dead letters say, then wait until the \
        time in `detail`: more than 100 records of this token were set aside within an hour. \
        Don't put bad records back: they are set aside again, which counts and prolongs the block
        """
    case internalError = "500 internal: ask the operator to read the log of the service"
    case starting = "503 starting: send again: the service is starting"
    case stopping = "503 stopping: send again: the service is stopping"
    case notReconciled = "503 not-reconciled: operators: run `whereabouts reconcile --check`"
    case logBehind = "503 log-behind: send again; if it lasts, the log is too slow for the load"
    case logUnreachable = "503 log-unreachable: send again; operators: check Kafka or PostgreSQL"
    case databaseUnreachable = "503 database-unreachable: send again; operators: check PostgreSQL"
    case storageFull = "503 storage-full: send again later; operators: free PostgreSQL's disk"
    case outcomeUnknown = "503 outcome-unknown: send the same ids again; duplicates are dropped"
    case tooManyStreamsOfToken = """
        429 too-many-streams-of-token: close some streams (`WHEREABOUTS_STREAMS_OF_ONE`)
        """
    case tooManyAtOnce = """
        429 too-many-at-once: send again after Retry-After: too many costly requests are running
        """
    case viewStopped = """
        503 view-stopped: ask the operator to read the log of the service, mend the cause, and \
        restart the service or rebuild the view: these rows are no longer updated
        """
    case tooManyStreams = "503 too-many-streams: open the stream later (`WHEREABOUTS_STREAMS`)"

    // MARK: The body

    case bodyEmpty = "400 body-empty: send an object, an array or lines"
    case notJSON = "400 not-json: repair the JSON; `detail` names the byte"
    case notUTF8 = "400 not-utf8: encode the body as UTF-8"
    case tooDeep = "400 too-deep: use fewer levels of nesting"
    case truncated = "400 truncated: send the complete JSON: it ends too early"
    case textMalformed = "400 text-malformed: leave U+0000 out of the text that `detail` names"
    case numberOutOfRange = "400 number-out-of-range: keep within 64 bits and the range in `detail`"
    case batchTooLarge = "413 batch-too-large: send at most 1,000 scans in one request"
    case nothingHeard = """
        400 nothing-heard: send readings (`wifi`, `ble`, `heardBy`), steps, a magnetic field, \
        `gnss` or a heading in each scan
        """
    case notAnObject = "400 not-an-object: send each scan, survey or document as a JSON object"
    case fieldMissing = "400 field-missing: add the field that `detail` names"
    case fieldWrongType = "400 field-wrong-type: change the type of the field that `detail` names"
    case fieldOutOfRange = "400 field-out-of-range: change the field that `detail` names"
    case fieldUnknown = """
        400 field-unknown: correct what `detail` names: scans with a place, and unknown names in \
        records, orders, selections, beacon files, routes, and GETs under `/v1/` are refused
        """
    case textTooLong = "400 text-too-long: shorten the text that `detail` names"
    case tooManyReadings = "400 too-many-readings: send at most 1,000 of a kind, in a tap 200"
    case idMalformed = "400 id-malformed: send a UUID as an event's id"
    case siteMalformed = "400 site-malformed: use 1 to 64 of `[A-Za-z0-9._-]`"
    case deviceMalformed = "400 device-malformed: use 1 to 64 of `[A-Za-z0-9._-]`"
    case scannerMalformed = "400 scanner-malformed: use 1 to 64 of `[A-Za-z0-9._-]`"
    case identifierMalformed = "400 identifier-malformed: use 1 to 64 of `[A-Za-z0-9._-]`"
    case timeMalformed = "400 time-malformed: send RFC 3339, such as `2026-11-21T08:00:00.000Z`"
    case timeOutOfRange = """
        400 time-out-of-range: set the clock: the time is before 2000, or over an hour ahead even \
        with `sentAt`
        """
    case sinceAhead = "400 since-ahead: send an earlier `since`; `detail` has the server's time"
    case rssiOutOfRange = "400 rssi-out-of-range: send -120 to 0 dBm"
    case bssidMalformed = "400 bssid-malformed: send six bytes in hex, such as `00:62:ec:fd:ec:50`"
    case addressMalformed = "400 address-malformed: send six bytes in hex: `00:62:ec:fd:ec:50`"
    case uuidMalformed = "400 uuid-malformed: send a beacon's UUID with 36 characters"
    case ssidTooLong = "400 ssid-too-long: shorten the SSID to 32 characters"
    case placeMissing = "400 place-missing: send `place` with each survey"
    case placeMalformed = """
        400 place-malformed: send `{"location"}`, `{"floor", "x", "y"}` or `{"floor", "latitude", \
        "longitude"}`
        """
    case coordinatesOutOfRange = """
        400 422 coordinates-out-of-range: send degrees on the globe, or metres up to 100 km from \
        the origin; taps, scan requests and magnetic routes: at most 100 m outside the site
        """

    // MARK: Names in the request

    case siteMissing = """
        400 422 letter site-missing: name the site in the scan or by `?site=`, or use a token of \
        one site
        """
    case siteUnknown = "404 letter site-unknown: publish the site first: `PUT /v1/sites/{site}`"
    case testersSite = """
        403 letter testers-site: use the site whose draft testers see: `museum` for `museum.test`
        """
    case authorMissing = "400 author-missing: add `?author=` with the id of a token or an account"
    case childrenMalformed = "400 children-malformed: set `children` to `true` or `false`"
    case decisionMalformed = "400 decision-malformed: set `decision` to `accept` or `reject`"
    case accessPointUnknown = "404 access-point-unknown: take an id from the list, dots for slashes"
    case measurementUnknown = "404 measurement-unknown: take an id from the list of measurements"
    case surveyUnknown = "404 survey-unknown: check the id: no such survey, or not kept aside"
    case tapUnknown = "404 tap-unknown: check the id: no such tap, or it is too old"
    case expiryPast = "422 expiry-past: choose an `expiresAt` in the future"
    case expiryTooLate = """
        422 expiry-too-late: choose an earlier `expiresAt`: `detail` gives the latest for the \
        role
        """
    case keyMalformed = "422 key-malformed: send `signingKey` as 32 bytes in hex"
    case surveysOutOfRange = "422 surveys-out-of-range: decide about 1 to 1,000 surveys at once"
    case tooManyBuildings = "422 too-many-buildings: name at most 100 buildings in a token"
    case deviceUnknown = "404 device-unknown: list the devices that you may see"
    case deviceErased = "410 letter device-erased: enrol the device anew: nobody has this id"
    case erasureUnknown = "404 erasure-unknown: check the id: finished erasures are forgotten"
    case keepersSilent = "503 keepers-silent: send again: a service may know the device"
    case ownerMissing = "422 owner-missing: sign in, or ask an editor of the site to enrol it"
    case tooManyDevices = "409 too-many-devices: delete devices, or ask an editor of the site"
    case tooManyErasures = "429 too-many-erasures: wait a day, or ask an editor of the site"
    case secretNotSet = "422 secret-not-set: ask the operator to set `WHEREABOUTS_SERVICE_SECRET`"
    case identityKeyInUse = "409 identity-key-in-use: look for the device in the list"
    case dayKeyMissing = "503 letter day-key-missing: send again; operators: check site-editor"
    case heardTooLongAgo = "422 letter heard-too-long-ago: enrol the device, or send sooner"
    case nothingOfSiteHeard = "422 letter nothing-of-site-heard: correct the rules `accessPoints`"
    case deviceMissing = """
        400 422 letter device-missing: name the device; to issue a device's token, name site and \
        device
        """
    case scannerUnknown = """
        404 letter scanner-unknown: issue a token to the scanner before a surveyor sends for it
        """
    case locationUnknown = "422 404 letter location-unknown: name a location of the site"
    case floorUnknown = "422 404 letter floor-unknown: name a floor of the site"
    case idConflict = "409 letter id-conflict: use a new id: this one is of another scan"
    case thingUnknown = "404 thing-unknown: check the id; if your draft is old, read it again"
    case stillNamed = "409 still-named: change or remove the `dependents`, or send `?cascade=true`"
    case ifMatchMissing = "428 if-match-missing: read the record and send its ETag as If-Match"
    case nothingToUndo = "409 nothing-to-undo: restore a version instead: `POST …/restore`"
    case draftEditConflict = "409 draft-edit-conflict: show both: others changed the same since"
    case draftEditWithheld = "409 draft-edit-withheld: correct the refused edit beside it"
    case draftEditIdConflict = "409 draft-edit-id-conflict: use a new id: another edit has this one"
    case draftEditsOutOfRange = "400 draft-edits-out-of-range: send 1 to 500 edits at once"
    case draftEditsGone = "410 draft-edits-gone: read the draft again: 10,000 edits are kept"
    case notClearable = "422 not-clearable: clear a room, a location or a floor"
    case notLinkable = "422 not-linkable: link two different locations of one floor"
    case versionMalformed = "400 version-malformed: use `published`, `test`, `draft` or a number"
    case versionUnknown = "404 version-unknown: list the versions: `GET /v1/sites/{site}/versions`"
    case testVersionMissing = "404 test-version-missing: publish to testers first"
    case coordinatesUnknown = "400 coordinates-unknown: use `metres` or `wgs84`"
    case flagMalformed = "400 flag-malformed: use `true` or `false`"
    case formatUnknown = "400 format-unknown: use one of the formats that `detail` lists"
    case importRefused = "422 import-refused: mend the file as `detail` says; nothing was imported"
    case siteInvalid = "422 site-invalid: repair the faults that `detail` lists"
    case etagMalformed = "400 etag-malformed: send back the ETag as it was read, with its quotes"
    case versionMovedOn = """
        412 version-moved-on: read the site or its draft again, repeat the change and send the \
        new ETag
        """
    case tokenUnknown = "404 token-unknown: check the id: there is no valid token with this id"
    case noteTooLong = "422 note-too-long: shorten the note to 500 bytes"
    case radioMapUnknown = "404 radio-map-unknown: use the hash of `/v1/sites/{site}/radio-map`"
    case magneticRouteUnknown = """
        404 magnetic-route-unknown: record the route first: `POST /v1/magnetic-routes`; it may \
        have been deleted
        """
    case magneticRouteChanged = "409 magnetic-route-changed: send again: somebody changed the route"
    case profileUnknown = "400 profile-unknown: use one of the profiles that `detail` names"
    case avoidUnknown = "400 avoid-unknown: use the words that `detail` names"
    case startAmbiguous = "422 start-ambiguous: start at one room, location, position or point"
    case tooManyDestinations = "422 too-many-destinations: name fewer: a floor counts as its places"
    case routeMalformed = "400 route-malformed: change the part that `detail` names"
    case placeUnknown = "404 place-unknown: name a place of the published site"
    case positionNotYours = "403 position-not-yours: use a token that may see it, or another place"
    case positionLost = "409 position-lost: locate the device again, or name another place"
    case confirmationMissing = "422 confirmation-missing: add `?confirm=` with the site's id"
    case timeZoneUnknown = "422 time-zone-unknown: name an IANA time zone, such as Europe/London"
    case positionTooOld = """
        409 position-too-old: locate the device again, allow an older position or name another \
        place
        """
    case locatorUnreachable = "503 locator-unreachable: try again after Retry-After"
    case routerUnreachable = "503 router-unreachable: try again, or ask without `near`"
    case siteTooLarge = """
        503 site-too-large: ask the operator to read the router's log: the site has too many \
        connections
        """
    case networkTooLarge = "422 network-too-large: ask for one building: `?building=`"
    case connectionUnknown = "422 404 connection-unknown: name a connection of the published site"
    case mediaTypeUnknown = """
        415 media-type-unknown: send PNG, JPEG, WebP, SVG, PDF, MP3, Ogg, MP4 or WebM
        """
    case mediaTypeDiffers = "415 media-type-differs: send the Content-Type of the bytes, or none"
    case mediaTooLarge = "413 media-too-large: make the file smaller: `detail` gives the limit"
    case mediaUnknown = "404 422 media-unknown: upload the file first: `POST /v1/media`"
    case planSizeDiffers = "422 plan-size-differs: send the size that `POST /v1/media` gave"
    case mediaNotPaged = "422 media-not-paged: name a page of a PDF only; send pictures as media"
    case drawingNotPassive = """
        422 drawing-not-passive: remove the part that `detail` names: a script, a handler, a link \
        to elsewhere, an entity, or an element or attribute that SVG doesn't have
        """
    case pictureUnreadable = "422 picture-unreadable: save it again: its size is missing or too big"
    case pageUnreadable = "422 page-unreadable: check that the PDF has the page; ask for fewer dots"
    case rangeUnsatisfiable = "416 range-unsatisfiable: ask within the file: see `Content-Range`"
    case zoneUnknown = "404 zone-unknown: name a zone, room or building of the published site"
    case buildingUnknown = "404 422 building-unknown: name a building of the site"
    case outageTextUnusable = """
        422 outage-text-unusable: shorten the text that `detail` names, and leave out control \
        characters
        """
    case feedAddressMalformed = "400 feed-address-malformed: send an http or https address"
    case feedUnknown = "404 feed-unknown: check the feed's id"
    case feedUnusable = "422 feed-unusable: change the setting that `detail` names"
    case tooManyFeeds = "422 too-many-feeds: remove feeds that nobody needs: a site may have 200"
    case positionerNotAllowed = "422 positioner-not-allowed: select one of the list `allowed`"
    case positionersUnusable = "422 positioners-unusable: name each once, and at most two beside"
    case positionerNotBeside = "409 404 positioner-not-beside: try it beside the served one first"
    case selectionUnknown = "404 selection-unknown: name a `revision` of the `history`"
    case tooManySelections = "429 too-many-selections: wait for Retry-After, or select the default"
    case outageTimesSwapped = "422 outage-times-swapped: choose an `until` after `from`"
    case outageIdConflict = "409 outage-id-conflict: use a new id: this one is of another outage"
    case outageUnknown = "404 outage-unknown: do nothing: there is no such outage, or it is over"
    case tooManyOutages = "422 too-many-outages: end outages that are over: 10,000 may be open"
    case activeMalformed = "400 active-malformed: set `active` to `true` or `false`"
    case magneticWalkUnusable = """
        422 magnetic-walk-unusable: walk again as `detail` says: more samples, no gap, a line \
        that fits, gravity that points down, not the recording's samples
        """
    case countOutOfRange = "400 count-out-of-range: ask for 1 to 50"
    case limitOutOfRange = "400 limit-out-of-range: ask for 1 to 10,000; `detail` may say fewer"
    case queryMissing = "400 query-missing: send the search text: `?q=`"
    case queryTooLong = "400 query-too-long: shorten the search text to 200 characters"
    case languageMalformed = "400 language-malformed: send a BCP 47 tag such as `cy` or `de-CH`"
    case cursorMalformed = "400 cursor-malformed: send the cursor of the page before, unchanged"
    case buildingStateMalformed = "400 building-state-malformed: send the last answer's `state`"
    case positionUnknown = "404 position-unknown: check the id: no such position, or kept no more"
    case scanGone = "410 scan-gone: ask sooner, or raise `WHEREABOUTS_RETENTION_SCANS`"
    case radioMapMissing = """
        409 503 radio-map-missing: survey the site, or wait for the locator (503) to load it
        """
    case eventIdMalformed = "400 event-id-malformed: send `Last-Event-ID` as the stream gave it"

    // MARK: Requests for scans

    case scannersOutOfRange = "422 scanners-out-of-range: name 1 to 8 scanners, each once"
    case scannerNotReached = "403 scanner-not-reached: ask one of your buildings, or pair with it"
    case mayNotStore = "403 may-not-store: leave out `store`: a pairing permits no stored scans"
    case placeWithoutStore = "422 place-without-store: set `store` for a place, or leave it out"
    case timeoutOutOfRange = "422 timeout-out-of-range: set `timeoutSeconds` to 1 to 60"
    case roomUnknown = "422 404 room-unknown: name a room of the published site"
    case scanRequestIdConflict = "409 scan-request-id-conflict: use a new id: this one is taken"
    case tooManyScanRequests = """
        429 too-many-scan-requests: wait for Retry-After: 16 of one asker and 8 of one scanner may \
        be open, 60 and 120 made within a minute, and an asker's be for 10,000 scans in a day
        """
    case scanRequestUnknown = "404 scan-request-unknown: ask again: there is none, or it is old"
    case scanRequestNotYours = "403 scan-request-not-yours: only who asked may wait for the result"
    case scanRequestCancelled = "410 scan-request-cancelled: drop the scan, or ask again"
    case scanRequestOver = "410 scan-request-over: drop the scan, or ask again"
    case scanRequestAnswered = "409 scan-request-answered: drop the scan: another answered already"
    case scanRequestDiffers = """
        409 scan-request-differs: send the scan where the request wants it: \
        [scan-switch.md](scan-switch.md)
        """
    case scanRequestMissing = "403 scan-request-missing: name the `request` for this survey"
    case scanRequestOverHTTP = "letter scan-request-over-http: send the answer over HTTP"
    case waitOutOfRange = "400 wait-out-of-range: set `wait` to 0 to 30 seconds"
    case newerPoll = "409 newer-poll: keep one poll of a scanner; another one came"
    case scannerAway = "504 scanner-away: check the scanner: it does not poll"
    case nobodyWaits = "410 nobody-waits: drop the scan: who asked for it is gone"
    case resultDropped = "410 result-dropped: ask again: the copy that you waited at was gone"
    case enrolmentCodeUnknown = "404 enrolment-code-unknown: ask for a new code: it is used or over"
    case enrolmentSlowed = "429 enrolment-slowed: wait for Retry-After: too many wrong codes"
    case pairingCodeUnknown = "404 pairing-code-unknown: read it again: it is wrong or expired"
    case pairingSlowed = "429 pairing-slowed: wait for Retry-After: too many wrong codes"
    case pairingUnknown = "404 pairing-unknown: list your pairings: `GET /v1/sites/{site}/pairings`"

    // MARK: Other systems

    case foreignSecretWrong = """
        403 foreign-secret-wrong: set the same secret in Meraki's dashboard and in \
        `WHEREABOUTS_MERAKI_SITES`
        """
    case foreignVersion = "422 foreign-version: send version 3 with the type WiFi or BLE"
    case notLocated = "404 not-located: send two or more of the site's senders with strengths"
    case foreignTopic = "400 foreign-topic: publish to `espresense/devices/<device>/<node>`"

    // MARK: Records of the log alone

    case valueMissing = "letter value-missing: send a value with each record of this topic"
    case headersMissing = """
        letter headers-missing: send the CloudEvents headers `ce_specversion`, `ce_id`, \
        `ce_source`, `ce_type`
        """
    case headerMalformed = "letter header-malformed: repair the header that `detail` names"
    case typeUnknown = "letter type-unknown: send a type of [asyncapi.json](asyncapi.json)"
    case typeUnexpected = "letter type-unexpected: send the event to its own topic"
    case versionTooNew = """
        letter version-too-new: update this program, then run `whereabouts dead-letters apply`
        """
    case consumerWrong = """
        apply consumer-wrong: check who wrote the letter: its consumer does not read its topic
        """
    case letterWrong = "apply letter-wrong: check who wrote the letter: the log has no such record"
    case recordGone = "apply record-gone: apply the letter by its id: the log lost the record"
    case secretMissing = """
        apply secret-missing: set `WHEREABOUTS_SERVICE_SECRET` to the secret of the services; \
        `serve` in one process needs it too ([kafka.md](kafka.md#what-was-set-aside))
        """
    case putBackFailed = "apply put-back-failed: read `detail`; the other letters were still tried"

    // MARK: People

    case signInWrong = "401 sign-in-wrong: check the sign-in and the password"
    case signInSlowed = "429 sign-in-slowed: wait for Retry-After: too many tries from this address"
    case signInElsewhere = "403 sign-in-elsewhere: sign in on this site's own page"
    case signInBusy = "503 sign-in-busy: send again: many people are signing in"
    case signInTaken = "409 sign-in-taken: choose another sign-in"
    case signInUnknown = "400 sign-in-unknown: begin again at the provider, in the same browser"
    case signInRefused = "403 sign-in-refused: read the service's log: the provider refused"
    case noProvider = "404 no-provider: sign in by password: no OpenID provider is set"
    case providerUnreachable = "503 provider-unreachable: try again: the provider does not answer"
    case noRole = "403 no-role: give a group of theirs a role: `WHEREABOUTS_SIGN_IN_GROUPS`"
    case proxyNotTrusted = "403 proxy-not-trusted: add it to `WHEREABOUTS_SIGN_IN_PROXIES`"
    case proxyNamesNobody = "401 proxy-names-nobody: configure the proxy to send `Remote-User`"
    case nameUnusable = "422 name-unusable: send a name with text and without control characters"
    case passwordUnusable = "422 password-unusable: choose a password as `detail` describes"
    case noPassword = "409 no-password: change it at the provider that signs this person in"
    case invitationUnusable = "404 invitation-unusable: ask for a new link: it was used or expired"
    case invitationUnknown = "404 invitation-unknown: check the id: no such invitation is open"
    case grantsMissing = "422 grants-missing: grant at least one role by the invitation"
    case grantBeyondOwn = "403 grant-beyond-own: grant roles only where you administrate"
    case accountUnknown = "404 account-unknown: check the id"
    case accountNotYours = "403 account-not-yours: ask an administrator of all sites to change it"
    case lastAdministrator = "409 last-administrator: make another administrator first"
    case accountsUnreadable = "409 accounts-unreadable: use the later release, or end the accounts"
    case tooManyAccounts = "422 too-many-accounts: end some accounts first"
    case tooManyInvitations = "422 too-many-invitations: withdraw some, or wait until some expire"
}

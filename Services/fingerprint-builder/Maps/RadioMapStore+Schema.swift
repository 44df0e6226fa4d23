import LogViews
import Postgres

extension RadioMapStore {
    static let migrator = Migrator(
        schema: schema,
        steps: [
            .schema("radio_maps"),
            Migrator.Step(
                "maps",
                """
                CREATE TABLE radio_maps.artifacts (
                    hash text PRIMARY KEY,
                    bytes bytea NOT NULL);
                ALTER TABLE radio_maps.artifacts ALTER COLUMN bytes SET STORAGE EXTERNAL;
                CREATE TABLE radio_maps.radio_maps (
                    site text NOT NULL,
                    version bigint NOT NULL,
                    hash text NOT NULL REFERENCES radio_maps.artifacts,
                    site_version bigint NOT NULL,
                    surveys bigint NOT NULL,
                    built_at timestamptz NOT NULL,
                    event bytea NOT NULL,
                    PRIMARY KEY (site, version));
                CREATE TABLE radio_maps.fingerprints (
                    site text NOT NULL,
                    floor text NOT NULL,
                    place text NOT NULL,
                    room text,
                    x double precision NOT NULL,
                    y double precision NOT NULL,
                    surveys integer NOT NULL,
                    event jsonb NOT NULL,
                    PRIMARY KEY (site, floor, place));
                """),
            outbox.migration,
            Migrator.Step(
                "choices",
                """
                CREATE TABLE radio_maps.choices (
                    site text PRIMARY KEY,
                    version bigint NOT NULL,
                    event bytea NOT NULL)
                """),
            QualityStore.migration,
            PartNotes.migration,
            PartNotes.reasonMigration,
            // Each map keeps its own choice here; the table `choices` has only the newest of each
            // site.
            Migrator.Step("choice", "ALTER TABLE radio_maps.radio_maps ADD COLUMN choice bytea"),
            Migrator.Step(
                "discarded",
                """
                CREATE TABLE radio_maps.discarded_surveys (
                    site text NOT NULL,
                    survey uuid NOT NULL,
                    PRIMARY KEY (site, survey))
                """),
            Migrator.Step(
                "judged",
                """
                ALTER TABLE radio_maps.radio_maps ADD COLUMN reviews bigint NOT NULL DEFAULT 0;
                -- What this builder has found and the log has not brought back yet.
                CREATE TABLE radio_maps.judged (
                    site text NOT NULL,
                    log_partition integer NOT NULL,
                    next_offset bigint NOT NULL,
                    PRIMARY KEY (site, log_partition));
                CREATE TABLE radio_maps.kept_aside (
                    survey uuid PRIMARY KEY,
                    site text NOT NULL)
                """),
            Migrator.Step(
                "survey-records",
                """
                -- As `judged`, by the surveys' ids.
                CREATE TABLE radio_maps.judged_surveys (
                    survey uuid PRIMARY KEY,
                    site text NOT NULL);
                -- Surveys whose tombstones are on their way to the log.
                CREATE TABLE radio_maps.removed_surveys (
                    survey uuid PRIMARY KEY,
                    site text NOT NULL,
                    put_at timestamptz NOT NULL)
                """),
            Migrator.Step(
                "parts",
                """
                -- The hash of a map in parts is that of the whole, which is joined on demand.
                ALTER TABLE radio_maps.radio_maps DROP CONSTRAINT radio_maps_hash_fkey;
                CREATE TABLE radio_maps.parts (
                    site text NOT NULL,
                    version bigint NOT NULL,
                    building text NOT NULL,
                    hash text NOT NULL REFERENCES radio_maps.artifacts,
                    bytes integer NOT NULL,
                    -- A digest of the surveys and of the site from which it was built.
                    inputs text NOT NULL,
                    PRIMARY KEY (site, version, building));
                CREATE INDEX ON radio_maps.parts (hash);
                CREATE TABLE radio_maps.part_notes (
                    site text NOT NULL,
                    building text NOT NULL,
                    id text NOT NULL,
                    change text,
                    reason text,
                    PRIMARY KEY (site, building, id))
                """),
            outbox.markMigration,
            NodeStore.migration,
            NodeStore.placesMigration,
            Migrator.Step(
                "choices-at", "ALTER TABLE radio_maps.choices ADD COLUMN chosen_at timestamptz"),
            TapStore.migration,
            SelectionStore.migration,
            ComparisonStore.migration, ComparisonStore.attempts,
            VisitorStore.migration, QualityStore.errorsMigration,
        ])
}

-- title: Sensitive paths in files
-- id: D12
-- question: How many sites disallow paths of administration, log-in, backups and similar in robots.txt?
-- grain: one row per crawl, stratum and family of paths; a body counts once, however many sites serve it
-- reads: stratum_contents, strata, rules
-- parameter: deep boolean = true, depth: searches the first three directories of a path, instead of only the first
-- column: family: family of paths: accounts, administration, backups, configuration, databases, log-in, logs and temporary files, private, programs, tests
-- column: sites: sites whose file disallows a path of this family
-- column: sites_own: of these sites, those with a name of this family that default files do not use
-- column: share_own: sites_own divided by sites_counted
-- column: bodies_own: how many distinct files the sites of sites_own have
-- caveat: A disallow line hides nothing: it tells every reader that the path may exist.
-- caveat: Rules before the first user-agent line, and rules of empty user-agent lines, apply to no agent, but are counted.
-- caveat: Default files of common systems name such paths, such as /wp-admin/, on every site. sites_own omits the names that they use.
-- caveat: A name matches a whole directory or file of the path, in upper or lower case, without * and $. /administration-news/ does not match.
WITH family_names AS (
    SELECT *
    FROM (VALUES
        ('administration', 'admin', true),
        ('administration', 'administrator', false),
        ('administration', 'administration', true),
        ('administration', 'wp-admin', false),
        ('administration', 'admin.php', true),
        ('administration', 'adm', true),
        ('administration', 'cpanel', true),
        ('administration', 'backend', true),
        ('administration', 'manager', true),
        ('administration', 'panel', true),
        ('log-in', 'login', true),
        ('log-in', 'login.php', true),
        ('log-in', 'wp-login.php', false),
        ('log-in', 'signin', true),
        ('log-in', 'sign-in', true),
        ('log-in', 'logon', true),
        ('log-in', 'auth', true),
        ('log-in', 'password', true),
        ('log-in', 'register', true),
        ('accounts', 'account', true),
        ('accounts', 'accounts', true),
        ('accounts', 'myaccount', true),
        ('accounts', 'my-account', true),
        ('accounts', 'user', true),
        ('accounts', 'users', true),
        ('accounts', 'member', true),
        ('accounts', 'members', true),
        ('accounts', 'customer', true),
        ('backups', 'backup', true),
        ('backups', 'backups', true),
        ('backups', 'bak', true),
        ('backups', 'old', true),
        ('backups', 'dump', true),
        ('configuration', 'config', true),
        ('configuration', 'config.php', true),
        ('configuration', 'configuration', true),
        ('configuration', 'settings', true),
        ('configuration', 'conf', true),
        ('configuration', '.env', true),
        ('configuration', '.git', true),
        ('configuration', '.svn', true),
        ('configuration', 'install', true),
        ('configuration', 'install.php', false),
        ('configuration', 'setup', true),
        ('databases', 'phpmyadmin', true),
        ('databases', 'pma', true),
        ('databases', 'db', true),
        ('databases', 'database', true),
        ('databases', 'sql', true),
        ('databases', 'mysql', true),
        ('programs', 'cgi-bin', false),
        ('programs', 'cgi', true),
        ('programs', 'scripts', true),
        ('programs', 'bin', true),
        ('programs', 'xmlrpc.php', false),
        ('private', 'private', true),
        ('private', 'confidential', true),
        ('private', 'secret', true),
        ('private', 'internal', true),
        ('private', 'intranet', true),
        ('private', 'hidden', true),
        ('private', 'restricted', true),
        ('tests', 'test', true),
        ('tests', 'tests', true),
        ('tests', 'dev', true),
        ('tests', 'staging', true),
        ('tests', 'beta', true),
        ('tests', 'demo', true),
        ('logs and temporary files', 'logs', true),
        ('logs and temporary files', 'log', true),
        ('logs and temporary files', 'tmp', true),
        ('logs and temporary files', 'temp', true),
        ('logs and temporary files', 'cache', true),
        ('logs and temporary files', 'stats', true)
    ) AS listed (family, name, is_own)
),
disallowed_paths AS (
    SELECT crawl, body_id, translate(lower(split_part(coalesce(pattern_normal, pattern), '?', 1)), '*$', '') AS path
    FROM rules
    WHERE NOT allow AND pattern <> ''
),
path_parts AS (
    SELECT
        p.crawl,
        p.body_id,
        -- With a literal place, DataFusion splits faster.
        CASE d.place
            WHEN 2 THEN split_part(p.path, '/', 2)
            WHEN 3 THEN split_part(p.path, '/', 3)
            ELSE split_part(p.path, '/', 4)
        END AS name
    FROM (VALUES (2), (3), (4)) AS d (place)
    CROSS JOIN disallowed_paths AS p
    WHERE $deep OR d.place = 2
),
body_families AS (
    SELECT
        p.crawl,
        p.body_id,
        f.family,
        max(CASE WHEN f.is_own THEN 1 ELSE 0 END) AS has_own
    FROM path_parts AS p
    JOIN family_names AS f ON f.name = p.name
    GROUP BY p.crawl, p.body_id, f.family
),
family_totals AS (
    SELECT
        s.crawl,
        s.stratum,
        b.family,
        sum(s.weight) AS sites,
        sum(CASE b.has_own WHEN 1 THEN s.weight ELSE 0 END) AS sites_own,
        count(*) AS bodies,
        sum(b.has_own) AS bodies_own
    FROM stratum_contents AS s
    JOIN body_families AS b ON b.crawl = s.crawl AND b.body_id = s.body_id
    GROUP BY s.crawl, s.stratum, b.family
)
SELECT
    f.crawl,
    f.stratum,
    f.family,
    f.sites,
    f.sites_own,
    s.sites_counted,
    CAST(f.sites AS double) / nullif(s.sites_counted, 0) AS share,
    CAST(f.sites_own AS double) / nullif(s.sites_counted, 0) AS share_own,
    f.bodies,
    f.bodies_own
FROM family_totals AS f
JOIN strata AS s ON s.crawl = f.crawl AND s.stratum = f.stratum
ORDER BY f.crawl, f.stratum, f.sites DESC, f.family

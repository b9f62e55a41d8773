-- title: Vocabularies of signals
-- question: Which labels did Content-Signal and Content-Usage have, for which purposes, and when?
-- grain: one row per label of a vocabulary
-- caveat: Made by analyze/src/queries/vocabularies.rs from the crate robots; docs/signals.md explains it. A vocabulary is valid from valid_from to the day before valid_until; null means without end. The first vocabulary of a record applies to all older files.
-- caveat: place orders labels by purpose, then by name.
SELECT signal, label, place, purpose, CAST(valid_from AS date) AS valid_from, CAST(valid_until AS date) AS valid_until, source
FROM (VALUES
    ('content-signal', 'search', 1, 'search', NULL, '2026-07-01', 'Cloudflare, Content Signals Policy; draft-romm-aipref-contentsignals-00'),
    ('content-signal', 'ai-input', 2, 'input', NULL, '2026-07-01', 'Cloudflare, Content Signals Policy; draft-romm-aipref-contentsignals-00'),
    ('content-signal', 'ai-train', 3, 'training', NULL, '2026-07-01', 'Cloudflare, Content Signals Policy; draft-romm-aipref-contentsignals-00'),
    ('content-signal', 'search', 1, 'search', '2026-07-01', NULL, 'Cloudflare, Your site, your rules (blog); changelog of 2026-08-31 on the use directive'),
    ('content-signal', 'ai-input', 2, 'input', '2026-07-01', NULL, 'Cloudflare, Your site, your rules (blog); changelog of 2026-08-31 on the use directive'),
    ('content-signal', 'ai-train', 3, 'training', '2026-07-01', NULL, 'Cloudflare, Your site, your rules (blog); changelog of 2026-08-31 on the use directive'),
    ('content-signal', 'use', 4, 'extent', '2026-07-01', NULL, 'Cloudflare, Your site, your rules (blog); changelog of 2026-08-31 on the use directive'),
    ('content-usage', 'tdm', 11, 'any', NULL, '2025-07-20', 'draft-ietf-aipref-vocab-01'),
    ('content-usage', 'ai', 5, 'training', NULL, '2025-07-20', 'draft-ietf-aipref-vocab-01'),
    ('content-usage', 'genai', 6, 'training', NULL, '2025-07-20', 'draft-ietf-aipref-vocab-01'),
    ('content-usage', 'search', 1, 'search', NULL, '2025-07-20', 'draft-ietf-aipref-vocab-01'),
    ('content-usage', 'inference', 4, 'input', NULL, '2025-07-20', 'draft-ietf-aipref-vocab-01'),
    ('content-usage', 'all', 9, 'any', '2025-07-20', '2025-09-05', 'draft-ietf-aipref-vocab-02'),
    ('content-usage', 'train-ai', 7, 'training', '2025-07-20', '2025-09-05', 'draft-ietf-aipref-vocab-02'),
    ('content-usage', 'train-genai', 8, 'training', '2025-07-20', '2025-09-05', 'draft-ietf-aipref-vocab-02'),
    ('content-usage', 'ai-use', 3, 'input', '2025-07-20', '2025-09-05', 'draft-ietf-aipref-vocab-02'),
    ('content-usage', 'search', 1, 'search', '2025-07-20', '2025-09-05', 'draft-ietf-aipref-vocab-02'),
    ('content-usage', 'bots', 10, 'any', '2025-09-05', '2025-10-28', 'draft-ietf-aipref-vocab-03'),
    ('content-usage', 'train-ai', 7, 'training', '2025-09-05', '2025-10-28', 'draft-ietf-aipref-vocab-03'),
    ('content-usage', 'train-genai', 8, 'training', '2025-09-05', '2025-10-28', 'draft-ietf-aipref-vocab-03'),
    ('content-usage', 'search', 1, 'search', '2025-09-05', '2025-10-28', 'draft-ietf-aipref-vocab-03'),
    ('content-usage', 'bots', 10, 'any', '2025-10-28', '2025-12-01', 'draft-ietf-aipref-vocab-04'),
    ('content-usage', 'train-ai', 7, 'training', '2025-10-28', '2025-12-01', 'draft-ietf-aipref-vocab-04'),
    ('content-usage', 'ai-output', 2, 'input', '2025-10-28', '2025-12-01', 'draft-ietf-aipref-vocab-04'),
    ('content-usage', 'search', 1, 'search', '2025-10-28', '2025-12-01', 'draft-ietf-aipref-vocab-04'),
    ('content-usage', 'train-ai', 7, 'training', '2025-12-01', '2026-09-13', 'draft-ietf-aipref-vocab-05; 06 and 07 have the same labels'),
    ('content-usage', 'search', 1, 'search', '2025-12-01', '2026-09-13', 'draft-ietf-aipref-vocab-05; 06 and 07 have the same labels'),
    ('content-usage', 'train-ai', 7, 'training', '2026-09-13', NULL, 'draft-ietf-aipref-vocab-08'),
    ('content-usage', 'ai-use', 3, 'input', '2026-09-13', NULL, 'draft-ietf-aipref-vocab-08'),
    ('content-usage', 'search', 1, 'search', '2026-09-13', NULL, 'draft-ietf-aipref-vocab-08')
) AS v (signal, label, place, purpose, valid_from, valid_until, source)

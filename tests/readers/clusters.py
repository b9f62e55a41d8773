#!/usr/bin/env python3
"""Checks the files of docs/clusters for Kubernetes and AWS Batch against the published schemas.

    clusters.py DOCS_CLUSTERS

Prints each fault, and exits with 1 if there is one. Needs kubernetes-validate and botocore, and no network.
"""

import json
import pathlib
import sys

import botocore.session
import botocore.validate
import kubernetes_validate
import yaml

# The oldest version that has all features of the jobs enabled by default.
KUBERNETES = "1.33"


def kubernetes(path):
    for job in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        try:
            kubernetes_validate.validate(job, KUBERNETES, strict=True)
        except kubernetes_validate.ValidationError as error:
            yield f"{path.name}: {error.message}"


def aws_batch(path, operation):
    service = botocore.session.get_session().get_service_model("batch")
    shape = service.operation_model(operation).input_shape
    text = json.loads(path.read_text(encoding="utf-8"))
    found = botocore.validate.ParamValidator().validate(text, shape)
    if found.has_errors():
        yield f"{path.name}: {found.generate_report()}"


def main():
    folder = pathlib.Path(sys.argv[1])
    wrong = [
        *kubernetes(folder / "kubernetes" / "jobs.yaml"),
        *kubernetes(folder / "kubernetes" / "jobs-bucket.yaml"),
        *aws_batch(folder / "aws-batch" / "job-definition.json", "RegisterJobDefinition"),
        *aws_batch(folder / "aws-batch" / "job-definition-bucket.json", "RegisterJobDefinition"),
        *aws_batch(folder / "aws-batch" / "shards.json", "SubmitJob"),
        *aws_batch(folder / "aws-batch" / "commit.json", "SubmitJob"),
        *aws_batch(folder / "aws-batch" / "commit-bucket.json", "SubmitJob"),
    ]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

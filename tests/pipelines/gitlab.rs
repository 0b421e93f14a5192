//! `ci/gitlab.yml`, job by job, with the variables that GitLab's runner gives.

use std::path::PathBuf;

use serde_json::Value;

use super::read_yaml;
use super::repository::{Change, Ran, Repository};

const JOBS: [&str; 4] = [
    "rulebook-check",
    "rulebook-emit-check",
    "rulebook-test",
    "rulebook-diff",
];

/// The lines of a script, one command each.
fn lines(value: Option<&Value>) -> Vec<String> {
    let lines = value.and_then(Value::as_array).unwrap();
    lines
        .iter()
        .map(|line| line.as_str().unwrap().to_owned())
        .collect()
}

/// Runs a job; `path` are folders that come before all others.
fn run(repository: &Repository, name: &str, more: &[(&str, &str)], path: &[PathBuf]) -> Ran {
    let template = read_yaml("ci/gitlab.yml");
    let job = &template[name];
    assert_eq!(job["extends"], ".rulebooks");
    let mut env: Vec<(String, String)> = Vec::new();
    for variables in [&template["variables"], &job["variables"]] {
        for (name, value) in variables.as_object().into_iter().flatten() {
            env.push((name.clone(), value.as_str().unwrap().to_owned()));
        }
    }
    let root = repository.path("").display().to_string();
    env.push(("CI_PROJECT_DIR".to_owned(), root));
    env.push((
        "CI_MERGE_REQUEST_DIFF_BASE_SHA".to_owned(),
        repository.base(),
    ));
    for (name, value) in more {
        env.push(((*name).to_owned(), (*value).to_owned()));
    }
    let mut script = lines(template.pointer("/.rulebooks/before_script"));
    script.extend(lines(job.get("script")));
    repository.run(&script.join("\n"), path, &env)
}

#[test]
fn a_repository_in_order_passes_and_leaves_its_reports() {
    let repository = Repository::new();
    for job in JOBS {
        let ran = run(&repository, job, &[], &[]);
        assert_eq!(ran.code, 0, "{job}\n{}", ran.said);
    }
    let template = read_yaml("ci/gitlab.yml");
    let report = |job: &str, kind: &str| {
        let path = template[job]["artifacts"]["reports"][kind]
            .as_str()
            .unwrap();
        repository.read(path)
    };
    let quality = report("rulebook-check", "codequality");
    assert_eq!(
        serde_json::from_str::<Value>(&quality).unwrap(),
        Value::Array(Vec::new())
    );
    let tests = report("rulebook-test", "junit");
    assert!(
        tests.contains("<testsuite") && tests.contains("a paid order is refunded"),
        "{tests}"
    );
    assert!(repository.path("rulebook-diff.md").exists());
}

#[test]
fn each_job_fails_for_what_it_is_for() {
    let cases: [(&[&str], Change); 4] = [
        (&["rulebook-emit-check"], |repository| {
            repository.edit("opa/refunds/Rulebook.rego", "100", "1000");
        }),
        (&JOBS, |repository| {
            repository.edit("policies/refunds.co", "    execute", "    excute");
        }),
        (&["rulebook-test"], |repository| {
            repository.edit("policies/refunds.test.yaml", "amount: 20", "amount: 200");
        }),
        (&["rulebook-diff"], |repository| {
            repository.edit("policies/refunds.co", "100", "1000");
            repository.succeed("RulebookTranslator emit");
        }),
    ];
    for (failed, change) in cases {
        let repository = Repository::new();
        change(&repository);
        repository.commit();
        for job in JOBS {
            let ran = run(&repository, job, &[], &[]);
            assert_eq!(ran.code != 0, failed.contains(&job), "{job}\n{}", ran.said);
        }
        if failed == JOBS {
            let quality = repository.read("rulebook-quality.json");
            let quality: Value = serde_json::from_str(&quality).unwrap();
            assert_eq!(quality[0]["location"]["path"], "policies/refunds.co");
        }
    }
}

#[test]
fn the_translator_is_built_where_there_is_none() {
    let repository = Repository::new();
    let tools = tempfile::tempdir().unwrap();
    repository.with_cargo(tools.path());
    // A repository of a translator, with one tag.
    let translator = tempfile::tempdir().unwrap();
    std::fs::write(translator.path().join("Cargo.toml"), "").unwrap();
    repository.succeed(&format!(
        "cd '{}' && git init -q && git add -A && git -c user.name=a -c user.email=a@shop.example \
         -c commit.gpgsign=false commit -q -m first && git -c tag.gpgsign=false tag v9.9.9",
        translator.path().display()
    ));
    std::fs::remove_file(repository.tools().join("RulebookTranslator")).unwrap();
    let source = translator.path().display().to_string();
    let variables = [
        ("RULEBOOK_TRANSLATOR", source.as_str()),
        ("RULEBOOK_TRANSLATOR_REVISION", "v9.9.9"),
    ];
    let path = [tools.path().to_path_buf()];
    let ran = run(&repository, "rulebook-check", &variables, &path);
    assert_eq!(ran.code, 0, "{}", ran.said);
    let asked = std::fs::read_to_string(tools.path().join("asked")).unwrap();
    assert!(asked.starts_with("install --locked --path "), "{asked}");
    assert!(
        repository
            .path(".rulebook-translator/bin/RulebookTranslator")
            .exists()
    );
    // The next job finds it.
    std::fs::remove_file(tools.path().join("cargo")).unwrap();
    let ran = run(&repository, "rulebook-check", &[], &path);
    assert_eq!(ran.code, 0, "{}", ran.said);
}

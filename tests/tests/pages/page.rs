//! The commands of a page.

/// What begins and ends a block.
const FENCE: &str = "```";

/// A command with what its page says of it.
#[derive(Debug, PartialEq)]
pub(super) struct Step {
    /// Its first line in the page, from 1.
    pub line: usize,
    /// The command, with the lines that belong to it.
    pub command: String,
    /// What it has to end with.
    pub status: i32,
    /// What it has to print.
    pub shown: Vec<String>,
    /// The server is stopped after it.
    pub last_before_stop: bool,
}

/// The commands of a page's `sh` blocks, in order.
pub(super) fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (first, block) in blocks(page) {
        if block.iter().any(|line| line.trim() == "pawl serve") {
            continue;
        }
        for (line, command) in commands(first, &block) {
            let comment = comment(&command);
            if comment.contains("server stopped")
                && let Some(before) = steps.last_mut()
            {
                before.last_before_stop = true;
            }
            steps.push(Step {
                line,
                status: status(&comment),
                shown: shown(&comment),
                last_before_stop: false,
                command,
            });
        }
    }
    steps
}

fn blocks(page: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, bool, Vec<&str>)> = None;
    for (number, line) in (1..).zip(page.lines()) {
        match open.take() {
            None if line.starts_with(FENCE) => {
                open = Some((number + 1, line == "```sh", Vec::new()));
            }
            None => {}
            Some((first, run, lines)) if line == FENCE => {
                blocks.extend(run.then_some((first, lines)));
            }
            Some((first, run, mut lines)) => {
                lines.push(line);
                open = Some((first, run, lines));
            }
        }
    }
    blocks
}

/// Joins the lines that belong together: what ends in `\`, what reads until a word, what is indented below a `for`.
fn commands(first: usize, block: &[&str]) -> Vec<(usize, String)> {
    let mut commands = Vec::new();
    let mut lines = (first..).zip(block.iter().copied()).peekable();
    while let Some((number, line)) = lines.next() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut command = line.to_owned();
        let mut more = |command: &mut String| {
            let (_, line) = lines.next().expect("a command of the page is cut off");
            command.push('\n');
            command.push_str(line);
            line
        };
        if let Some(word) = here_word(line) {
            while more(&mut command) != word {}
        } else if line.starts_with("for ") || line.starts_with("until ") {
            while !command.contains("done") {
                more(&mut command);
            }
        } else {
            while command.ends_with('\\') {
                more(&mut command);
            }
        }
        commands.push((number, command));
    }
    commands
}

fn here_word(line: &str) -> Option<&str> {
    let (_, word) = line.split_once("<<")?;
    let word = word.split_whitespace().next()?;
    Some(word.trim_matches(['\'', '"']))
}

/// What stands behind `  #` on the last line.
fn comment(command: &str) -> String {
    let last = command.lines().last().unwrap_or_default();
    last.rsplit_once(" # ")
        .map(|(_, comment)| comment.to_owned())
        .unwrap_or_default()
}

fn words(comment: &str) -> impl Iterator<Item = &str> {
    let between = |letter: char| !(letter.is_alphanumeric() || "@_".contains(letter));
    comment.split(between).filter(|word| !word.is_empty())
}

fn status(comment: &str) -> i32 {
    let mut words = words(comment);
    words.find(|word| *word == "exit");
    words.next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

fn shown(comment: &str) -> Vec<String> {
    let is_reason = |word: &str| {
        word.contains('_')
            && word
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter == '_')
    };
    let is_name = |word: &str| {
        let (letter, number) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        let digits = number.replace('@', "");
        "acf".contains(letter)
            && !digits.is_empty()
            && digits.chars().all(|digit| digit.is_ascii_digit())
    };
    let is_verdict = |word: &str| ["accepted", "contested", "refused"].contains(&word);
    words(comment)
        .filter(|word| is_reason(word) || is_name(word) || is_verdict(word))
        .map(ToOwned::to_owned)
        .collect()
}

#[test]
fn commands_are_read_with_what_is_said_of_them() {
    let page = "\
text\n```sh\ncat > a.txt <<'END'\n# no comment\nEND\npawl submit \\\n  --content x   # contested a3@1 (conflict c1), exit 1\n\
```\n```toml\nno = 1\n```\n```sh\npawl verify # with the server stopped\n```\n";
    let steps = steps(page);
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[0].command, "cat > a.txt <<'END'\n# no comment\nEND");
    assert_eq!((steps[1].line, steps[1].status), (6, 1));
    assert_eq!(steps[1].shown, ["contested", "a3@1", "c1"]);
    assert!(steps[1].last_before_stop && !steps[0].last_before_stop);
}

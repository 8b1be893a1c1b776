"""Parts of a run, put together."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from batch_faults import SHORT, Faults
from batch_tools import call, read_csv, spots, write_csv


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_parts_put_together_are_the_whole(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_csv(Path("s.csv"), list(spots(31)))
    arguments = ["batch", "s.csv", "--jobs", "1", "-o"]
    assert call(*arguments, f"whole.{ending}").code == 1
    parts = [f"part{number}.{ending}" for number in (1, 2, 3, 4)]
    for number, part in enumerate(parts, 1):
        code = call(*arguments, part, "--shard", f"{number}/4").code
        done = call(*arguments, part, "--shard", f"{number}/4", "--resume")
        assert done.code == code
        assert done.stderr.startswith(f"equity: '{part}' is complete")
        assert ("; 1 of " in done.stderr) == bool(code)
    merge = ["merge", "-o", f"merged.{ending}"]
    done = call(*merge, parts[2], parts[0], parts[3], parts[1])
    assert done.code == 1
    assert Path(f"merged.{ending}").read_bytes() == Path(f"whole.{ending}").read_bytes()
    assert done.stderr == call(*arguments, f"whole.{ending}", "--force").stderr

    def refused(*more: str) -> str:
        failed = call(*merge, *more)
        assert failed.code == 2
        return failed.stderr

    assert "'merged." in refused(*parts)
    Path(f"merged.{ending}").unlink()
    assert "missing of 4 parts: 2, 4" in refused(parts[0], parts[2])
    assert "are both part 1" in refused(*parts, parts[0])
    assert "it is not a part of a run" in refused(*parts, f"whole.{ending}")
    Path(f"whole.{ending}.journal").unlink()
    assert "its journal cannot be read" in refused(*parts, f"whole.{ending}")
    assert call(*arguments, f"other.{ending}", "--shard", "2/4", "--seed", "5").code in (0, 1)
    assert "different runs: --seed (was 0, is 5)" in refused(parts[0], f"other.{ending}")
    assert (
        "the parts are"
        in call("merge", "-o", f"m.{'csv' if ending != 'csv' else 'jsonl'}", *parts).stderr
    )
    with Faults(OSError(errno.ENOSPC, "No space left on device")).at(5):
        assert call(*arguments, parts[1], "--shard", "2/4", "--force").code == 1
    assert "is not complete" in refused(*parts)
    assert not Path(f"merged.{ending}").exists()


def test_parts_of_flops_have_the_totals_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["batch", "--players", "AsAhKsKh", "--players", "QsQhQdJs|AdAcQdQc", "--jobs", "1"]
    arguments += ["--boards", "flops", "-d", SHORT["dead"], "-o"]
    assert call(*arguments, "whole.csv").code == 0
    parts = [f"{number}.csv" for number in range(1, 6)]
    for number, part in enumerate(parts, 1):
        assert call(*arguments, part, "--shard", f"{number}/5").code == 0
    assert call("merge", *parts, "-o", "merged.csv") == (
        0,
        f"equity: {len(read_csv(Path('whole.csv')))} spots in 5 parts\n",
    )
    assert Path("merged.csv").read_bytes() == Path("whole.csv").read_bytes()

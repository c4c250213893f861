"""What documentation is made of, and how people spell, in both languages: each kind of text is found and cited."""

from pathlib import Path

import pytest

from mfgit.passages import Hit
from mfgit.project import Project
from tests.builders import Workbench

FILES = {
    "docs/title.md": "---\ntitle: Rotate the signing keys\n---\n\nOpen the vault and press the arrow.\n",
    "docs/标题.md": "---\ntitle: 轮换签名密钥\n---\n\n打开保险库，点击箭头。\n",
    "docs/code.md": "# Start\n\n```bash\n# not a heading\ngateway serve --listen-port 8080\n```\n",
    "docs/代码.md": "# 启动\n\n```bash\n# 不是标题\ngateway 监听端口\n```\n",
    "docs/table.md": "# Plans\n\n| plan | seats |\n|---|---|\n| Harbour | twelve |\n",
    "docs/表格.md": "# 套餐\n\n| 套餐 | 席位 |\n|---|---|\n| 海港版 | 十二 |\n",
    "docs/component.mdx": "import Tip from './tip'\n\n# Webhooks\n\n<Tip>\n\n## Retry a delivery {/* #again */}\n\nSend.\n",
    "docs/组件.mdx": "import Tip from './tip'\n\n# 回调\n\n<Tip>\n\n## 重新投递 {#重试}\n\n点击发送。\n\n</Tip>\n",
    "docs/mixed.md": "# 升级\n\n先停止 OpenClaw 网关，再运行 upgrade-all 命令。\n",
    "docs/other.md": "# Other\n\nNothing that anybody asks for. 没有人问的内容。\n",
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Workbench.make(tmp_path_factory.mktemp("kinds") / "kb", FILES).path


def first(kb: Path, question: str) -> Hit:
    return Project.open(kb).search(question).hits[0]


@pytest.mark.parametrize(
    ("question", "path", "heading", "anchor"),
    [
        pytest.param("rotate signing keys", "docs/title.md", "", "", id="en-front-matter"),
        pytest.param("怎么轮换签名密钥", "docs/标题.md", "", "", id="zh-front-matter"),
        pytest.param("which flag sets the listen port", "docs/code.md", "Start", "start", id="en-code"),
        pytest.param("监听端口", "docs/代码.md", "启动", "启动", id="zh-code"),
        pytest.param("how many seats has Harbour", "docs/table.md", "Plans", "plans", id="en-table"),
        pytest.param("海港版有几个席位", "docs/表格.md", "套餐", "套餐", id="zh-table"),
        pytest.param("retry a delivery", "docs/component.mdx", "Retry a delivery", "again", id="en-mdx"),
        pytest.param("重新投递", "docs/组件.mdx", "重新投递", "重试", id="zh-mdx"),
        pytest.param("openclaw升级", "docs/mixed.md", "升级", "升级", id="mixed-without-space"),
        pytest.param("ＯｐｅｎＣｌａｗ 網關", "docs/mixed.md", "升级", "升级", id="mixed-full-width-traditional"),
        pytest.param("輪換簽名密鑰", "docs/标题.md", "", "", id="zh-traditional"),
        pytest.param("rotate the singing keys at the vualt", "docs/title.md", "", "", id="en-typing-error"),
        pytest.param("OpenClwa 网关怎么升级", "docs/mixed.md", "升级", "升级", id="zh-typing-error-in-latin-word"),
    ],
)
def test_each_kind_of_text_is_found_and_cited(kb: Path, question: str, path: str, heading: str, anchor: str) -> None:
    found = first(kb, question).passage
    assert (found.path, found.heading, found.anchor) == (path, heading, anchor)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("how to open the vualt", "Searched for vault instead of vualt."),
        ("uprgade-all 命令怎么运行", "Searched for upgrade instead of uprgade."),
    ],
)
def test_a_correction_is_shown_in_questions_of_both_languages(kb: Path, question: str, note: str) -> None:
    assert Project.open(kb).search(question).note == note

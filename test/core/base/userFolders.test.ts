import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { isInside } from '../../../src/core/base/paths.ts';
import { cornerOf, userCacheFolder, userStateFolder } from '../../../src/core/base/userFolders.ts';
import type { UserEnvironment } from '../../../src/core/base/userFolders.ts';

const linux: UserEnvironment = { platform: 'linux', home: '/home/ada', temporary: '/tmp', env: {} };

describe("the user's folders", () => {
  it('follow the XDG rules on Linux, where a relative path counts for nothing', () => {
    assert.equal(userCacheFolder(linux), '/home/ada/.cache/testmend');
    assert.equal(userStateFolder(linux), '/home/ada/.local/state/testmend');
    const own = { ...linux, env: { XDG_CACHE_HOME: '/fast/cache', XDG_STATE_HOME: 'relative' } };
    assert.equal(userCacheFolder(own), '/fast/cache/testmend');
    assert.equal(userStateFolder(own), '/home/ada/.local/state/testmend');
  });

  it('are the Library folders on a Mac', () => {
    const mac: UserEnvironment = { ...linux, platform: 'darwin', home: '/Users/ada' };
    assert.equal(userCacheFolder(mac), '/Users/ada/Library/Caches/testmend');
    assert.equal(userStateFolder(mac), '/Users/ada/Library/Application Support/testmend');
  });

  it('give every root its own corner, never inside that root', () => {
    const one = cornerOf('/projects/shop', '/home/ada/.cache/testmend', linux);
    assert.match(one, /^\/home\/ada\/\.cache\/testmend\/shop-[0-9a-f]{12}$/);
    assert.notEqual(one, cornerOf('/other/shop', '/home/ada/.cache/testmend', linux));
    const home = cornerOf(os.homedir(), path.join(os.homedir(), '.cache/testmend'), {
      ...linux,
      temporary: path.join(path.parse(os.homedir()).root, 'elsewhere'),
    });
    assert.ok(!isInside(os.homedir(), home));
  });
});

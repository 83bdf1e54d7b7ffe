/**
 * Sentences that the scenarios' texts are mixed from.
 * Owns: our own writing in nine languages of seven scripts. A sentence is cut into units where the mix may branch: at
 * spaces, or at "·" where a script writes none.
 */

export const LANGUAGES = [
  "english",
  "german",
  "russian",
  "greek",
  "chinese",
  "japanese",
  "korean",
  "arabic",
  "hindi",
] as const;

export type Language = (typeof LANGUAGES)[number];

export interface SeedSentences {
  /** What stands between two units. */
  readonly joint: "" | " ";
  readonly sentences: readonly string[];
}

export const SEED_SENTENCES: Readonly<Record<Language, SeedSentences>> = {
  english: {
    joint: " ",
    sentences: [
      "We moved the tomatoes to the south wall because the old bed stays wet until noon.",
      "The committee wants a second estimate before it signs anything, and nobody knows who asked for the first one.",
      "If the tide table is right, the ferry can leave at half past six and still reach the island before dark.",
      "Her notes on the experiment say that the pressure fell twice, once at night and once while everyone was at lunch.",
      "I keep the recipes in one folder and the shopping lists in another, so that neither gets in the way.",
      "The archive holds letters, maps and three diaries, but the catalogue only mentions the maps.",
      "What did we decide about the roof, and how much of it was only talk?",
      "Reading slowly is no waste of time when the book was written slowly!",
    ],
  },
  german: {
    joint: " ",
    sentences: [
      "Die Genossenschaft hat den Liefervertrag gekündigt, weil die Verpackungsverordnung geändert wurde.",
      "Für die Hochwasserschutzmauer fehlen noch zwei Gutachten und die Zustimmung der Nachbargemeinde.",
      "Wer früh genug losfährt, sieht über den Wiesen den Nebel stehen und hört die Kraniche.",
      "Im Übergabeprotokoll steht nichts über die Schlüssel, obwohl drei davon verschwunden sind.",
      "Können wir die Sitzung verschieben, oder müsste dann alles neu angekündigt werden?",
      "Großmutters Rührteig braucht süße Äpfel, etwas Öl und vor allem Geduld.",
    ],
  },
  russian: {
    joint: " ",
    sentences: [
      "Мы перенесли встречу на четверг, потому что в среду в библиотеке нет свободного зала.",
      "В отчёте сказано, что давление падало дважды, но о причинах никто ничего не написал.",
      "Старая яблоня у забора снова цветёт, хотя прошлой зимой её почти сломал ветер.",
      "Если поезд опоздает, придётся ночевать на станции и ехать дальше утренним автобусом.",
      "Какие письма уже разобраны, а какие ещё лежат в коробках под лестницей?",
      "Для пирога нужны мука, масло, три яйца и немного терпения.",
      "Утром она поставила чайник, открыла окно и долго смотрела на мокрый двор.",
      "Соседский кот сидел на крыше сарая и вылизывал лапу.",
      "Старый учитель медленно перелистывал пожелтевшие страницы, вспоминая тех, кого давно не было рядом.",
      "Где-то за рекой протяжно загудел паром, и эхо прокатилось над тёмной водой.",
      "Компания сообщила, что в третьем квартале выручка выросла на двенадцать процентов.",
      "Договор аренды офиса заканчивается в декабре, поэтому необходимо заранее обсудить условия продления.",
      "Чтобы установить программу, откройте настройки и выберите нужный раздел.",
      "Если соединение прервано, повторите запрос через несколько секунд.",
      "После войны центр города пришлось восстанавливать заново.",
      "Сегодня наконец дописал вторую главу, завтра отправлю черновик и попрошу посмотреть примечания.",
    ],
  },
  greek: {
    joint: " ",
    sentences: [
      "Η γιαγιά φύλαγε τις συνταγές σε ένα παλιό τετράδιο με μπλε εξώφυλλο.",
      "Το πλοίο φεύγει στις έξι, αν βέβαια ο άνεμος το επιτρέψει.",
      "Στο αρχείο υπάρχουν γράμματα και χάρτες, αλλά κανείς δεν τα έχει καταγράψει.",
      "Ποιος αποφάσισε να αλλάξει το πρόγραμμα χωρίς να ρωτήσει τους υπόλοιπους;",
      "Οι ελιές θέλουν υπομονή, λίγο νερό και πολύ φως.",
    ],
  },
  chinese: {
    joint: "",
    sentences: [
      "我们·把·番茄·移到·南墙·下面，·因为·老·菜地·到·中午·还是·湿·的。",
      "委员会·希望·在·签字·之前·再·看·一份·预算，·可是·没有·人·记得·第一份·是·谁·要·的。",
      "如果·潮汐表·没有·错，·渡船·六点半·出发，·天黑·以前·还·能·到·岛上。",
      "她·的·实验·笔记·里·写着：·压力·下降·了·两次，·一次·在·夜里。",
      "档案馆·保存着·信件、·地图·和·三本·日记，·目录·里·却·只有·地图。",
      "关于·屋顶·的·事，·我们·到底·决定·了·什么？",
      "公司·第三季度·的·收入·比·去年同期·增长·了·百分之十二，·主要·来自·海外市场·的·订单。",
      "项目负责人·建议·下个月·重新·评估·供应商·的·报价，·并·在·会议上·讨论·新的·折扣·方案。",
      "打开·设置·页面，·选择·需要·同步·的·文件夹，·然后·点击·保存·按钮·即可·完成·配置。",
      "如果·网络·连接·中断，·请·等待·几秒钟·后·重新·发送·请求。",
      "上个世纪初，·这座·城市·发展·得·很快，·工厂、·学校·和·图书馆·陆续·建成。",
      "今天·终于·写完·了·第二章，·明天·要·把·草稿·发给·老师，·请·她·看看·注释·有没有·问题。",
    ],
  },
  japanese: {
    joint: "",
    sentences: [
      "トマト·を·南·の·壁·の·そば·に·移した·のは、·古い·畑·が·昼·まで·乾かない·から·です。",
      "会議·は·木曜日·に·変わりました·が、·まだ·部屋·の·予約·が·できて·いません。",
      "祖母·の·レシピ·は·青い·ノート·に·書いて·あって、·ところどころ·読めない·文字·が·あります。",
      "潮·の·時刻表·が·正しければ、·フェリー·は·暗く·なる·前·に·島·へ·着く·でしょう。",
      "実験·ノート·に·よると、·圧力·は·二回·下がった·が、·原因·は·わかって·いない。",
      "屋根·に·ついて、·私たち·は·何·を·決めた·の·でしょう·か？",
      "第三四半期·の·売上·は·前年同期·に·比べて·十二パーセント·増加し、·海外·からの·注文·が·大きく·伸びました。",
      "設定画面·を·開き、·同期する·フォルダー·を·選択·して·から·保存·ボタン·を·クリック·して·ください。",
      "接続·が·切れた·場合·は、·数秒·待って·から·再度·お試し·ください。",
      "今日·は·ようやく·第二章·を·書き終えた·ので、·明日·は·原稿·を·先生·に·送る·つもり·だ。",
    ],
  },
  korean: {
    joint: " ",
    sentences: [
      "토마토를 남쪽 벽 아래로 옮긴 것은 오래된 밭이 한낮까지 젖어 있기 때문이다.",
      "위원회는 서명하기 전에 두 번째 견적을 보고 싶어 하지만 누가 요청했는지 아무도 모른다.",
      "물때표가 맞다면 배는 여섯 시 반에 떠나서 어두워지기 전에 섬에 닿을 수 있다.",
      "할머니의 요리법은 파란 공책에 적혀 있고 군데군데 읽을 수 없는 글자가 있다.",
      "지붕에 대해서 우리는 무엇을 결정했습니까?",
    ],
  },
  arabic: {
    joint: " ",
    sentences: [
      "نقلنا الطماطم إلى الجدار الجنوبي لأن الحوض القديم يبقى رطبًا حتى الظهر.",
      "تريد اللجنة تقديرًا ثانيًا قبل التوقيع، ولا أحد يعرف من طلب التقدير الأول.",
      "إذا كان جدول المد صحيحًا، فإن العبارة تصل إلى الجزيرة قبل حلول الظلام.",
      "كتبت في دفتر التجربة أن الضغط انخفض مرتين، مرة في الليل ومرة وقت الغداء.",
      "في الأرشيف رسائل وخرائط وثلاث مذكرات، لكن الفهرس لا يذكر إلا الخرائط.",
      "ماذا قررنا بشأن السقف، وهل كان ذلك مجرد كلام؟",
    ],
  },
  hindi: {
    joint: " ",
    sentences: [
      "हमने टमाटर दक्षिण की दीवार के पास लगा दिए क्योंकि पुरानी क्यारी दोपहर तक गीली रहती है।",
      "समिति हस्ताक्षर करने से पहले दूसरा अनुमान चाहती है, पर पहला किसने माँगा था यह किसी को याद नहीं।",
      "अगर ज्वार की तालिका सही है तो नाव अँधेरा होने से पहले द्वीप तक पहुँच जाएगी।",
      "उसकी प्रयोग-पुस्तिका में लिखा है कि दबाव दो बार गिरा, एक बार रात में।",
      "अभिलेखागार में चिट्ठियाँ, नक्शे और तीन डायरियाँ हैं, लेकिन सूची में केवल नक्शे हैं।",
      "छत के बारे में हमने क्या तय किया था?",
    ],
  },
};
